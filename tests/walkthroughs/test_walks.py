# SPDX-License-Identifier: Apache-2.0

"""Walkthroughs at the terminal: newcomer, operator, author and day."""

import os
import pathlib

import fixtures
import testtools
from testtools import content

from tests.functional import lockable_resources
from tests.harness import command
from tests.harness import forkserver
from tests.harness import ports
from tests.walkthroughs import transcript

# The environment variable of a directory for the transcripts.
TRANSCRIPTS = 'HEAT_EXTRAS_TRANSCRIPTS'
HERE = pathlib.Path(__file__).parent
RECIPES = HERE.parents[1] / 'doc' / 'source' / 'user' / 'tutorials.rst'


class WalkthroughTest(testtools.TestCase):
    """Each walkthrough starts in an empty directory without processes."""

    def setUp(self):
        super().setUp()
        self.seen = []
        self.place = self.useFixture(fixtures.TempDir()).path

    def walk(self, text, width=80):
        variables = {
            'HOME': self.place, 'LC_ALL': 'C.UTF-8', 'COLUMNS': str(width),
            'PORT': str(ports.free_port()), 'PYTHONWARNINGS': 'ignore',
            'PLUGINS': lockable_resources.PLUGINS}
        programs = self.useFixture(forkserver.Programs(variables))
        terminal = transcript.Terminal(self.place, {
            **variables, 'PATH': os.pathsep.join(
                (programs.path, command.BIN, os.environ['PATH']))})
        self.addCleanup(terminal.close)
        self.addDetail('seen', content.Content(
            content.UTF8_TEXT, lambda: [''.join(self.seen).encode()]))
        self.addCleanup(self.keep_transcript)
        terminal.follow(text, self.note)

    def keep_transcript(self):
        """Write the transcript to a file if a directory is set."""
        directory = os.environ.get(TRANSCRIPTS)
        if directory:
            name = self.id().rpartition('.')[2].removeprefix('test_')
            pathlib.Path(directory, f'{name}.txt').write_text(
                ''.join(self.seen))

    def note(self, step, output):
        self.seen.append(f'$ {step.command}\n{output.rstrip()}\n')

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

    def test_recipes(self):
        self.walk(transcript.of_page(RECIPES.read_text()))


class FailsWhenUnprotectedTest(WalkthroughTest):
    test_newcomer = test_operator = test_author = test_recipes = None
    test_day = test_day_on_a_wide_terminal = None

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

    def test_end_of_shell_is_detected(self):
        self.assertIn('bash ended', self.refused('$ exit 0'))

    def test_expected_output_is_accepted(self):
        self.walk('# A person.\n$ A=web\n$ echo $A\n> echo and more\n'
                  'web\nand ...\n$ false\n[1]\n')
        self.assertEqual(3, len(self.seen))
