# SPDX-License-Identifier: Apache-2.0

"""Output of ``tools/list_skipped.py`` at the end of a run."""

import os
import pathlib
import sys

import fixtures
import testtools

from tests.harness import command

_TOOL = pathlib.Path(
    __file__).resolve().parents[2] / 'tools' / 'list_skipped.py'
_TESTS = """
import unittest

class Test(unittest.TestCase):
    def test_passed(self):
        pass

    @unittest.skip('Install the package of B')
    def test_b(self):
        pass

    test_b_again = test_b
"""


class SkippedTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = self.useFixture(fixtures.TempDir()).path

    def check(self, *words):
        return command.check(words, directory=self.place, environment={
            **os.environ, 'PATH': os.pathsep.join(
                (os.path.dirname(sys.executable), os.environ['PATH']))})

    def told(self, *words):
        return self.check(sys.executable, str(_TOOL), *words)

    def run_some(self, *words):
        (pathlib.Path(self.place) / 'test_some.py').write_text(_TESTS)
        self.check('stestr', '--test-path', '.', *words, 'run', '--serial')

    def test_skipped_tests_are_counted_by_reason(self):
        self.run_some()
        self.assertEqual('2 skipped: Install the package of B\n',
                         self.told())

    def test_repository_url_of_stestr_is_used(self):
        place = ('--repo-url', self.useFixture(fixtures.TempDir()).path)
        self.run_some(*place)
        self.assertEqual('2 skipped: Install the package of B\n',
                         self.told(*place))
        self.assertEqual('No test was run, so none was skipped.\n',
                         self.told())

    def test_message_if_no_test_was_run(self):
        self.assertEqual('No test was run, so none was skipped.\n',
                         self.told())
