# SPDX-License-Identifier: Apache-2.0

"""Walkthroughs at the terminal: newcomer, operator, author and day."""

import pathlib

from tests.walkthroughs import base
from tests.walkthroughs import transcript

HERE = pathlib.Path(__file__).parent


class WalkthroughTest(base.TestCase):

    def test_newcomer(self):
        self.walk((HERE / 'newcomer.console').read_text())

    def test_operator(self):
        self.walk((HERE / 'operator.console').read_text())

    def test_author(self):
        self.walk((HERE / 'author.console').read_text())

    def test_day(self):
        self.walk_a_day(80)

    def test_day_on_a_wide_terminal(self):
        self.walk_a_day(120)

    def walk_a_day(self, width):
        self.walk((HERE / 'day.console').read_text(), width)
        self.assertEqual([], [
            line for seen in self.seen for line in seen.splitlines()[1:]
            if line.startswith(('+', '|')) and len(line) > width])


class FailsWhenUnprotectedTest(base.TestCase):

    def refused(self, *lines):
        return str(self.assertRaises(transcript.Wrong, self.walk,
                                     '\n'.join(lines)))

    def test_different_output_is_detected(self):
        self.assertIn('one lock', self.refused(
            '$ echo one lock', 'two locks'))

    def test_additional_or_missing_output_is_detected(self):
        self.assertIn('and more', self.refused(
            '$ echo one lock; echo and more', 'one lock'))
        self.assertIn('(nothing)', self.refused('$ true', 'one lock'))

    def test_different_exit_status_is_detected(self):
        self.assertIn('ended with 3, wanted 0', self.refused(
            '$ echo web; (exit 3)', 'web'))
        self.assertIn('ended with 0, wanted 1', self.refused(
            '$ echo web', 'web', '[1]'))

    def test_ids_and_times_may_differ(self):
        self.walk('$ echo 8409a564-1be1-5f5d-b1a2-901d7eca8c6c since '
                  '2026-11-20T10:02:11Z\n'
                  '12cd561c-a14d-4476-9e6c-4552db75224f since '
                  '2026-12-24T18:00:00Z\n')

    def test_end_of_shell_is_detected(self):
        self.assertIn('bash ended', self.refused('$ exit 0'))

    def test_expected_output_is_accepted(self):
        self.walk('# A person.\n$ A=web\n$ echo $A\n> echo and more\n'
                  'web\nand ...\n$ false\n[1]\n')
        self.assertEqual(3, len(self.seen))
