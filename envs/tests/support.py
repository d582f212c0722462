"""What several of the standard-library tests need."""

import os
import shlex
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "envs"))

from steerbench.scorer import SteerError  # noqa: E402

#: The ``steerbench`` command; STEERBENCH_CLI may name another one.
CLI = shlex.split(os.environ.get("STEERBENCH_CLI", "")) or ["node", str(ROOT / "dist/cli/main.js")]


class RefusalTest(unittest.TestCase):
    """A test case that can say what must be refused, and in which words."""

    def refuses(self, pattern, call, *args, **named):
        with self.assertRaisesRegex(SteerError, pattern) as caught:
            call(*args, **named)
        self.assertIsInstance(caught.exception, ValueError)
