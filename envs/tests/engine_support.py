"""What the tests of engines share."""

import sys
import time
from pathlib import Path

from support import CLI, RefusalTest

from steerbench.engines import open_engine
from steerbench.scorer import LABELS

#: A child that misbehaves as the next argument says.
FAKE = [sys.executable, "-B", str(Path(__file__).parent / "fake_stdio.py")]
#: More answers than two frames hold.
GOLDS = list(LABELS) * 260
ANSWERS = [f'{{"intervention": "{LABELS[i % 4]}", "reason": "{i}"}}' for i in range(1300)]


def child_of(engine):
    return engine._child._process.pid


def is_running(pid):
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class EngineTest(RefusalTest):
    def open(self, *args, **named):
        engine = open_engine(*args, **named)
        self.addCleanup(engine.close)
        return engine

    def node(self, command=CLI, timeout=30.0):
        return self.open("node", command, timeout)

    def awaits(self, condition):
        end = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), end, "still waiting after 20 s")
            time.sleep(0.02)
