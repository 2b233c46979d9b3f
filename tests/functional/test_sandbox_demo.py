# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import testtools

from heat_extras.sandbox import tour


class DemoTest(testtools.TestCase):

    def test_tour_does_what_it_shows(self):
        done = subprocess.run(
            [sys.executable, '-m', 'heat_extras.cmd.sandbox', 'demo'],
            capture_output=True, text=True, timeout=900)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        for step in tour.STEPS:
            self.assertIn(step.story, done.stdout)
        self.assertIn('--os-auth-type none', done.stdout)
