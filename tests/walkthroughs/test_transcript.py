# SPDX-License-Identifier: Apache-2.0

import os

import fixtures
import testtools

from tests.harness import waiting
from tests.walkthroughs import transcript


class TerminalTest(testtools.TestCase):

    def test_close_ends_background_jobs_of_failed_walkthrough(self):
        directory = self.useFixture(fixtures.TempDir()).path
        terminal = transcript.Terminal(directory, dict(os.environ))
        self.assertRaises(transcript.Wrong, terminal.follow, (
            '$ sleep 600 & echo $! >number\n'
            '$ echo one\n'
            'another\n'))
        with open(os.path.join(directory, 'number')) as source:
            number = int(source.read())
        self.assertTrue(_runs(number))
        terminal.close()
        waiting.until_equal('the job', False, lambda: _runs(number))


def _runs(number):
    try:
        with open(f'/proc/{number}/stat') as source:
            return source.read().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False
