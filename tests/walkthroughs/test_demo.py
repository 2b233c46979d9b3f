# SPDX-License-Identifier: Apache-2.0

"""The demo of the README."""

import collections
import os
import pathlib
import re
import shlex
from xml.etree import ElementTree

import fixtures
import testtools

from heat_extras.sandbox import clients
from heat_extras.sandbox import demo
from heat_extras.sandbox import demo_steps
from heat_extras.sandbox import process
from tests.harness import command
from tests.harness import heat_client

PAGES = pathlib.Path(__file__).parents[2] / 'doc' / 'source'
PICTURE = PAGES / 'images' / 'refused.svg'
TRANSCRIPT = PAGES / 'user' / 'demo.txt'


def plain(text):
    """Remove the parts of terminal output that differ between runs."""
    text = ''.join(text.split())
    text = re.sub('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'ID', text)
    return re.sub('[0-9-]{10}T[0-9:]{8}Z', 'TIME', text)


def drawn_lines():
    """List the lines of the README's picture as a terminal shows them."""
    lines = collections.defaultdict(str)
    for element in ElementTree.parse(PICTURE).iter(
            '{http://www.w3.org/2000/svg}text'):
        if 'line-' in element.get('clip-path', ''):
            lines[element.get('y')] += ''.join(element.itertext())
    return [line.replace('\xa0', ' ').strip() for line in lines.values()]


def pictured():
    """List the commands of the README's picture with their output."""
    return ['$openstack' + part
            for part in plain(''.join(drawn_lines())).split('$openstack')[1:]]


class PictureTest(testtools.TestCase):

    def test_unlock_command_is_on_one_line(self):
        self.assertIn('To unlock the stack: openstack stack unlock web.',
                      '\n'.join(drawn_lines()))


class TranscriptTest(testtools.TestCase):

    def test_page_contains_each_step(self):
        text = ' '.join(TRANSCRIPT.read_text().split())
        for chapter, steps in demo_steps.with_stacks(demo_steps.CHAPTERS):
            for shown in (chapter.title, chapter.alone, *(
                    part for step in steps
                    for part in (step.story, demo.command_line(step)))):
                before, scene, text = text.partition(
                    ' '.join(shown.split()))
                self.assertTrue(scene, shown)


class DemoTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        # The directory of the stacks.
        self.place = os.path.join(self.useFixture(fixtures.TempDir()).path,
                                  'a blank')
        os.mkdir(self.place)

    def demo(self, *words, columns=80, **options):
        done = command.run(
            [command.program('heat-extras-sandbox'), 'demo', *words],
            environment={**os.environ, 'COLUMNS': str(columns),
                         'TMPDIR': self.place}, seconds=900, **options)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def test_tour_shows_each_step_and_documented_errors(self):
        text = self.demo()
        output = ' '.join(text.split())
        for number, (chapter, steps) in enumerate(
                demo_steps.with_stacks(demo_steps.CHAPTERS), 1):
            self.assertIn(f'\n{number}. {chapter.title}\n===', text)
            self.assertIn(f'Heat alone: {chapter.alone}', output)
            for step in steps:
                self.assertIn(step.story, output)
        self.assertEqual(2, len(pictured()))
        for typed in pictured():
            self.assertIn(typed, plain(text))
        self._compare_refusals(text)

    def _compare_refusals(self, text):
        """Check that the page and the run have the same rejections."""
        shown, page = (
            [plain(line) for line in each.splitlines()
             if line.startswith('ERROR: ')]
            for each in (text, TRANSCRIPT.read_text()))
        self.assertLessEqual(5, len(shown))
        self.assertEqual(shown, page)

    def test_stacks_of_demo_can_be_served_again(self):
        text = self.demo('--only', 'guards')
        words = shlex.split(re.search(
            r'^  heat-extras-sandbox (serve (?:.*\\\n)*.*)$', text,
            re.MULTILINE)[1].replace('\\\n', ' '))
        self.assertEqual('serve --state-dir', ' '.join(words[:2]))
        # In the introduction, for this command, and for the client.
        self.assertEqual(3, text.count(
            f'\n  export PATH={command.BIN}:$PATH\n'))
        sandbox = process.SandboxProcess(words[2], words[3:])
        self.addCleanup(sandbox.kill)
        client = heat_client.Client(sandbox.start())
        self.assertEqual('LOCK_COMPLETE', client.lock_status('shop'))
        listed = command.run(
            [command.program('openstack'), 'stack', 'list', '-f', 'value'],
            environment={**os.environ, **clients.openstack_environment(
                sandbox.url, 'alice:member')})
        self.assertIn('shop', listed.stdout)
        self.assertEqual('', listed.stderr)

    def test_one_chapter_without_keyboard_input(self):
        text = self.demo('--only', 'lifecycle', '--pause')
        self.assertIn('All 2 steps had the expected result', text)
        self.assertIn('ask the platform team for more', text)
        self.assertIn('(Press Enter to continue)', text)
        self.assertNotIn('unhealthy', text)

    def test_narrow_terminal_in_checkout_of_heat(self):
        heat = pathlib.Path(self.place, 'heat')
        heat.mkdir()
        (heat / '__init__.py').write_text('raise RuntimeError')
        self.demo('--only', 'lifecycle', columns=40, directory=self.place)
