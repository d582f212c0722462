"""Runs the client tests: each lane in its own locked environment and its own process.

    npm run test:clients [-- LANE ...]

Ends with the sum of all lanes, ``N passed, N failed, N skipped``, alone on the last line.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from client_lanes import LANES, files_of, orphans
from client_venvs import LowDisk, NotInstalled, environment_of

ENVS = Path(__file__).resolve().parents[1]
CLIENTS = ENVS / "tests/clients"
#: A lane that takes longer hangs; its process is ended and counts as a failure.
LANE_SECONDS = 600
#: Offline, and one thread each: two cores thrash when torch takes all it sees.
SETTINGS = {
    "CUDA_VISIBLE_DEVICES": "",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(ENVS),
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
    "WANDB_MODE": "disabled",
}


class Counts(NamedTuple):
    """Tests of a lane; a lane that could not run counts as one."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def main(names):
    lanes = [lane for lane in LANES if not names or lane.name in names]
    unknown = set(names) - {lane.name for lane in LANES}
    if unknown:
        sys.exit(f"no lane {', '.join(sorted(unknown))}; use {', '.join(x.name for x in LANES)}")
    files = sorted(path.name for path in CLIENTS.glob("test_*.py"))
    counts = [run_lane(lane, files_of(lane, files)) for lane in lanes]
    for name in orphans(files):
        say(f"{name}: no lane of client_lanes.py runs it")
        counts.append(Counts(failed=1))
    total = Counts(*map(sum, zip(*counts)))
    say(total)
    return 1 if total.failed or not (total.passed or total.skipped) else 0


def run_lane(lane, files):
    """Installs and tests one lane; prints a line on it in any case."""
    started = time.monotonic()
    try:
        venv_bin = environment_of(lane, say)
        installed = time.monotonic()
        counts = run_pytest(lane, files, venv_bin)
    except LowDisk as error:
        say(f"{lane.name}: SKIPPED, NOT TESTED: {error}")
        counts = Counts(skipped=1)
    except NotInstalled as error:
        say(f"{lane.name}: cannot be installed: {error}")
        if lane.is_optional:
            say(f"{lane.name}: is optional, and NOT TESTED here")
        counts = Counts(skipped=1) if lane.is_optional else Counts(failed=1)
    else:
        seconds = time.monotonic() - started
        say(f"{lane.name}: {seconds:.0f} s, of which {installed - started:.0f} s to install")
    say(f"{lane.name}: {counts}")
    return counts


def run_pytest(lane, files, venv_bin):
    """One pytest process over the lane's files; what it prints is shown."""
    if not files:
        say(f"{lane.name}: has no test files")
        return Counts(failed=1)
    environment = {
        **os.environ,
        **SETTINGS,
        "PATH": f"{venv_bin}{os.pathsep}{os.environ['PATH']}",
        "STEERBENCH_REQUIRE": ",".join(lane.required),
    }
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = ["-q", "-ra", "--durations=5", "--continue-on-collection-errors"]
        options += ["-p", "no:cacheprovider", f"--junitxml={report}"]
        command = [venv_bin / "python", "-m", "pytest", *options, *(CLIENTS / x for x in files)]
        say(f"{lane.name}: pytest {' '.join(files)}")
        code = run_with_deadline(list(map(str, command)), environment)
        counts = read_report(report) if report.is_file() else Counts()
    if code != 0 and counts.failed == 0:
        say(f"{lane.name}: pytest ended with code {code}")
        return counts._replace(failed=1)
    return counts


def run_with_deadline(command, environment):
    """The exit code; when time runs out, None, after the process and its children are ended."""
    child = subprocess.Popen(command, cwd=ENVS.parent, env=environment, start_new_session=True)
    try:
        return child.wait(LANE_SECONDS)
    except subprocess.TimeoutExpired:
        say(f"took longer than {LANE_SECONDS} s and was ended")
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def read_report(path):
    """The counts of pytest's own report."""
    suites = ElementTree.parse(path).getroot().iter("testsuite")
    sums = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in suites:
        for key in sums:
            sums[key] += int(suite.get(key, 0))
    failed = sums["failures"] + sums["errors"]
    return Counts(sums["tests"] - failed - sums["skipped"], failed, sums["skipped"])


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
