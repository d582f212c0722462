"""The runner of the client tests: what it counts, what it says, and that it ends."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import run_clients
from client_lanes import LANES, Lane
from client_venvs import LowDisk, NotInstalled
from run_clients import Counts

LANE = Lane("some", "3.11", tests=("some",), required=())


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.said = []
        say = mock.patch.object(run_clients, "say", lambda line: self.said.append(str(line)))
        say.start()
        self.addCleanup(say.stop)

    def run_lane(self, lane, environment):
        with mock.patch.object(run_clients, "environment_of", side_effect=environment):
            return run_clients.run_lane(lane, ["test_some.py"])

    def test_low_disk_skips_a_lane_and_says_so(self):
        counts = self.run_lane(LANE, LowDisk("1 GB is free"))
        self.assertEqual(counts, Counts(skipped=1))
        self.assertEqual(self.said[0], "some: SKIPPED, NOT TESTED: 1 GB is free")
        self.assertEqual(self.said[-1], "some: 0 passed, 0 failed, 1 skipped")

    def test_a_lane_that_cannot_be_installed_has_failed_unless_it_is_optional(self):
        error = NotInstalled("no such version")
        self.assertEqual(self.run_lane(LANE, error), Counts(failed=1))
        self.assertEqual(self.run_lane(LANE._replace(is_optional=True), error), Counts(skipped=1))
        self.assertIn("some: is optional, and NOT TESTED here", self.said)

    def test_a_report_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            suite = '<testsuite tests="9" failures="2" errors="1" skipped="1"/>'
            report.write_text(f"<testsuites>{suite}</testsuites>")
            self.assertEqual(run_clients.read_report(report), Counts(5, 3, 1))

    def test_a_run_that_breaks_before_its_report_has_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "python"
            python.symlink_to("/bin/false")
            self.assertEqual(
                run_clients.run_pytest(LANE, ["test_some.py"], Path(folder)), Counts(failed=1)
            )
        self.assertIn("some: pytest ended with code 1", self.said)

    def test_a_lane_without_files_has_failed(self):
        self.assertEqual(run_clients.run_pytest(LANE, [], Path("bin")), Counts(failed=1))

    def test_a_lane_that_hangs_is_ended_with_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = Path(folder) / "fifo"
            os.mkfifo(fifo)
            reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
            self.addCleanup(os.close, reader)
            hang = ["sh", "-c", f"sleep 60 > '{fifo}' & wait"]
            with mock.patch.object(run_clients, "LANE_SECONDS", 0.5):
                self.assertIsNone(run_clients.run_with_deadline(hang, {"PATH": os.defpath}))
            # While the child lived, this would be a BlockingIOError.
            self.assertEqual(os.read(reader, 1), b"")

    def test_the_total_is_the_last_line_and_decides_the_exit_code(self):
        for counts, code in (
            (Counts(3), 0),
            (Counts(3, 1), 1),
            (Counts(skipped=1), 0),
            (Counts(), 1),
        ):
            self.assertEqual(self.main(counts), code)
            self.assertEqual(self.said[-1], str(counts))

    def test_a_file_that_no_lane_runs_has_failed(self):
        self.assertEqual(self.main(Counts(3), orphans=["test_new.py"]), 1)
        self.assertEqual(self.said[-2], "test_new.py: no lane of client_lanes.py runs it")
        self.assertEqual(self.said[-1], "3 passed, 1 failed")

    def main(self, counts, orphans=()):
        """The exit code of a run of one lane with these counts."""
        lane = mock.patch.object(run_clients, "run_lane", return_value=counts)
        with lane, mock.patch.object(run_clients, "orphans", return_value=orphans):
            return run_clients.main([LANES[0].name])

    def test_an_unknown_lane_is_named_with_the_known_ones(self):
        with self.assertRaisesRegex(SystemExit, "no lane trane; use nemo, .*train"):
            run_clients.main(["trane"])


if __name__ == "__main__":
    unittest.main()
