# SPDX-License-Identifier: Apache-2.0

"""What ``tools/skipped.py`` tells at the end of a run."""

import os
import pathlib
import sys

import fixtures
import testtools

from tests.rigs import command

_TOOL = pathlib.Path(__file__).resolve().parents[2] / 'tools' / 'skipped.py'
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

    def test_it_counts_each_reason(self):
        place = self.useFixture(fixtures.TempDir()).path
        (pathlib.Path(place) / 'test_some.py').write_text(_TESTS)
        environment = {**os.environ, 'PATH': os.pathsep.join(
            (os.path.dirname(sys.executable), os.environ['PATH']))}
        command.check(['stestr', '--test-path', '.', 'run', '--serial'],
                      environment=environment, directory=place)
        told = command.check([sys.executable, str(_TOOL)],
                             environment=environment, directory=place)
        self.assertEqual('2 skipped: Install the package of B\n', told)
