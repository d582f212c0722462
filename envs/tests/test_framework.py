"""Versions of frameworks: told apart by their numbers, refused with the command that helps."""

import unittest
from importlib import metadata
from unittest import mock

from support import RefusalTest

from steerbench._framework import FrameworkError, refuse_other, require


class VersionTest(RefusalTest):
    def installed(self, version):
        patch = mock.patch.object(metadata, "version", return_value=version)
        patch.start()
        self.addCleanup(patch.stop)

    def test_versions_in_the_range_pass(self):
        for version in ("1.10", "1.10.0", "1.9.post1+cu132", "1.16.0.dev0", "1.99"):
            self.installed(version)
            self.assertEqual(require("trl", "1.9", "2"), version)

    def test_versions_outside_are_named_with_the_range_and_the_command(self):
        for version in ("1.8.9", "2.0", "2.0.0", "10"):
            self.installed(version)
            for check in (require, refuse_other):
                self.refuses(
                    f'trl {version} .*from 1.9 to below 2: pip install "trl>=1.9,<2"',
                    check,
                    "trl",
                    "1.9",
                    "2",
                )

    def test_a_missing_framework_is_an_import_error(self):
        self.refuses("no-such-thing is not installed: pip", require, "no-such-thing", "1", "2")
        self.assertTrue(issubclass(FrameworkError, ImportError))
        self.assertIsNone(refuse_other("no-such-thing", "1", "2"))


if __name__ == "__main__":
    unittest.main()
