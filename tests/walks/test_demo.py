# SPDX-License-Identifier: Apache-2.0

"""The demo, as the README has it."""

import sys

import testtools

from heat_extras.sandbox import tour
from tests.rigs import command


class DemoTest(testtools.TestCase):

    def test_tour_does_what_it_shows(self):
        done = command.run(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo'],
            seconds=900)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        for chapter in tour.CHAPTERS:
            self.assertIn(f'\n{chapter.title}\n===', done.stdout)
            for step in chapter.steps:
                self.assertIn(step.story, done.stdout)
        self.assertIn('--os-auth-type none', done.stdout)

    def test_one_chapter_with_nobody_at_the_keyboard(self):
        done = command.run(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo',
             '--only', 'lifecycle', '--pause'], seconds=900)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn('All 3 steps did what they should', done.stdout)
        self.assertIn('ask the platform team for more', done.stdout)
        self.assertIn('(Enter goes on)', done.stdout)
        self.assertNotIn('unhealthy', done.stdout)
