# SPDX-License-Identifier: Apache-2.0

"""The demo, as the README has it."""

import collections
import os
import pathlib
import re
import sys
from xml.etree import ElementTree

import testtools

from heat_extras.sandbox import tour
from tests.rigs import command

PICTURE = (pathlib.Path(__file__).parents[2] / 'doc' / 'source' / 'images'
           / 'refused.svg')


def plain(text):
    """Leave out of what a terminal shows what is different every time."""
    text = ''.join(text.split())
    text = re.sub('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'ID', text)
    return re.sub('[0-9-]{10}T[0-9:]{8}Z', 'TIME', text)


def drawn_lines():
    """List the lines of the README's picture, as a terminal breaks them."""
    lines = collections.defaultdict(str)
    for found in ElementTree.parse(PICTURE).iter(
            '{http://www.w3.org/2000/svg}text'):
        if 'line-' in found.get('clip-path', ''):
            lines[found.get('y')] += ''.join(found.itertext())
    return [line.replace('\xa0', ' ').strip() for line in lines.values()]


def pictured():
    """List the commands of the README's picture, each with its answer."""
    return ['$openstack' + part
            for part in plain(''.join(drawn_lines())).split('$openstack')[1:]]


class PictureTest(testtools.TestCase):

    def test_what_to_type_stands_in_one_line(self):
        self.assertIn('To lift it: openstack stack unlock web.',
                      '\n'.join(drawn_lines()))


class DemoTest(testtools.TestCase):

    def test_tour_does_what_it_shows(self):
        done = command.run(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo'],
            environment={**os.environ, 'COLUMNS': '80'}, seconds=900)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        said = ' '.join(done.stdout.split())
        for chapter, steps in tour.steps_of(tour.CHAPTERS):
            self.assertIn(f'\n{chapter.title}\n===', done.stdout)
            for step in steps:
                self.assertIn(step.story, said)
        self.assertIn('--os-auth-type none', done.stdout)
        self.assertEqual(2, len(pictured()))
        for typed in pictured():
            self.assertIn(typed, plain(done.stdout))

    def test_one_chapter_with_nobody_at_the_keyboard(self):
        done = command.run(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo',
             '--only', 'lifecycle', '--pause'], seconds=900)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn('All 3 steps did what they should', done.stdout)
        self.assertIn('ask the platform team for more', done.stdout)
        self.assertIn('(Enter goes on)', done.stdout)
        self.assertNotIn('unhealthy', done.stdout)
