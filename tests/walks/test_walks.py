# SPDX-License-Identifier: Apache-2.0

"""A newcomer, an operator and an author of templates, at the terminal."""

import os
import pathlib

import fixtures
import testtools
from testtools import content

from tests.rigs import command
from tests.rigs import forkserver
from tests.rigs import ports
from tests.walks import transcript

HERE = pathlib.Path(__file__).parent
RECIPES = HERE.parents[1] / 'doc' / 'source' / 'recipes.rst'


class WalkTest(testtools.TestCase):
    """Each walk begins in an empty directory, and nothing runs yet."""

    def setUp(self):
        super().setUp()
        self.seen = []
        self.place = self.useFixture(fixtures.TempDir()).path

    def walk(self, text):
        variables = {
            'HOME': self.place, 'LC_ALL': 'C.UTF-8', 'COLUMNS': '80',
            'PORT': str(ports.free_port()), 'PYTHONWARNINGS': 'ignore'}
        programs = self.useFixture(forkserver.Programs(variables))
        terminal = transcript.Terminal(self.place, {
            **variables, 'PATH': os.pathsep.join(
                (programs.path, command.BIN, os.environ['PATH']))})
        self.addCleanup(terminal.close)
        self.addDetail('seen', content.Content(
            content.UTF8_TEXT, lambda: [''.join(self.seen).encode()]))
        terminal.follow(text, self.note)

    def note(self, step, found):
        self.seen.append(f'$ {step.command}\n{found.rstrip()}\n')

    def test_newcomer(self):
        self.walk((HERE / 'newcomer.console').read_text())

    def test_operator(self):
        self.walk((HERE / 'operator.console').read_text())

    def test_author(self):
        self.walk((HERE / 'author.console').read_text())

    def test_recipes(self):
        self.walk(transcript.of_page(RECIPES.read_text()))


class KnownToSeeTest(WalkTest):
    test_newcomer = test_operator = test_author = test_recipes = None

    def refused(self, *lines):
        return str(self.assertRaises(transcript.Wrong, self.walk,
                                     '\n'.join(lines)))

    def test_other_words(self):
        self.assertIn('one lock', self.refused(
            '$ echo one lock', 'two locks'))

    def test_more_words(self):
        self.assertIn('and more', self.refused(
            '$ echo one lock; echo and more', 'one lock'))
        self.assertIn('(nothing)', self.refused('$ true', 'one lock'))

    def test_another_status(self):
        self.assertIn('ended with 3, wanted 0', self.refused(
            '$ echo web; (exit 3)', 'web'))
        self.assertIn('ended with 0, wanted 1', self.refused(
            '$ echo web', 'web', '[1]'))

    def test_the_end_of_the_terminal(self):
        self.assertIn('bash ended', self.refused('$ exit 0'))

    def test_what_is_right(self):
        self.walk('# A person.\n$ A=web\n$ echo $A\n> echo and more\n'
                  'web\nand ...\n$ false\n[1]\n')
        self.assertEqual(3, len(self.seen))
