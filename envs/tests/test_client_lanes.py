"""The client tests' own bookkeeping: every file in a lane, every lane locked, nothing half made."""

import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import client_venvs
from client_lanes import LANES, files_of, orphans
from client_venvs import REQUIREMENTS, LowDisk, NotInstalled, environment_of

FILES = sorted(path.name for path in (Path(__file__).parent / "clients").glob("test_*.py"))
LANE = LANES[0]


class LaneTest(unittest.TestCase):
    def test_every_test_file_is_in_a_lane_and_every_word_of_a_lane_has_a_file(self):
        self.assertEqual(orphans(FILES), [])
        self.assertEqual(orphans(["test_trlx.py", "test_trl_more.py"]), ["test_trlx.py"])
        for lane in LANES:
            for word in lane.tests:
                found = files_of(lane._replace(tests=(word,)), FILES)
                self.assertTrue(found, f"{lane.name}: no test_{word}.py")

    def test_every_lock_pins_what_its_list_names_with_hashes_and_names_no_address(self):
        for lane in LANES:
            lock = (REQUIREMENTS / f"{lane.name}.txt").read_text()
            listed = (REQUIREMENTS / f"{lane.name}.in").read_text()
            pinned = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)", lock, re.MULTILINE)
            for name, version in re.findall(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", listed, re.MULTILINE):
                self.assertIn((name, version), pinned, lane.name)
            for block in re.split(r"^(?=\w)", lock, flags=re.MULTILINE)[1:]:
                self.assertIn("--hash=sha256:", block, block.split()[0])
            self.assertNotIn("://", lock)
            self.assertNotIn("index", re.sub(r"^[\w.-]+==", "", lock, flags=re.MULTILINE))


class EnvironmentTest(unittest.TestCase):
    """Making environments, with the installer replaced: a real one takes a minute."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        variables = mock.patch.dict(os.environ, STEERBENCH_VENVS=folder.name)
        variables.start()
        self.addCleanup(variables.stop)
        self.commands = []

    def make(self, fail=False):
        def pretended(command):
            last = str(command[-1])
            self.commands.append(list(map(str, command)))
            if "venv" in command:
                Path(last).mkdir(parents=True)
            elif fail and "--require-hashes" in command:
                (Path(last).parents[1] / "half").touch()
                raise NotInstalled("the registry is away")

        with mock.patch.object(client_venvs, "_run", pretended):
            return environment_of(LANE, lambda line: None).parent

    def test_an_environment_is_made_once_under_the_lock_s_hash(self):
        made = self.make()
        self.assertRegex(made.name, f"^{LANE.name}-[0-9a-f]{{16}}$")
        count = len(self.commands)
        self.assertTrue(any("--require-hashes" in command for command in self.commands))
        self.assertEqual((self.make(), len(self.commands)), (made, count))

    def test_a_half_made_environment_is_never_used_and_made_again(self):
        for _ in range(2):
            with self.assertRaisesRegex(NotInstalled, "the registry is away"):
                self.make(fail=True)
        self.assertEqual([path.name for path in self.make().iterdir()], [client_venvs.READY])

    def test_low_disk_is_said_before_anything_is_made(self):
        usage = mock.Mock(free=1_500_000_000)
        disk = mock.patch.object(client_venvs.shutil, "disk_usage", return_value=usage)
        with disk, self.assertRaisesRegex(LowDisk, "1.5 GB are free and it needs 2"):
            self.make()
        self.assertEqual(self.commands, [])

    def test_a_command_that_fails_says_what_it_printed(self):
        with self.assertRaisesRegex(NotInstalled, "ls .*no-such-folder"):
            client_venvs._run(["ls", self.root / "no-such-folder"])


if __name__ == "__main__":
    unittest.main()
