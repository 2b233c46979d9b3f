# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
