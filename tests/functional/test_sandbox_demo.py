# SPDX-License-Identifier: Apache-2.0

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
        for step in tour.STEPS:
            self.assertIn(step.story, done.stdout)
        self.assertIn('--os-auth-type none', done.stdout)
