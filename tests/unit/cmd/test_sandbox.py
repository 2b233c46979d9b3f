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

import contextlib
import io
import subprocess
import sys

import testtools

from heat_extras.cmd import sandbox


class SandboxCommandTest(testtools.TestCase):

    def _refused(self, *arguments):
        """Return what is said about arguments that are not accepted."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertRaises(SystemExit, sandbox.main, arguments)
        return errors.getvalue()

    def test_a_command_is_required(self):
        self.assertIn('COMMAND', self._refused())

    def test_port_must_be_a_number(self):
        self.assertIn("found 'http'", self._refused('serve', '--port', 'http'))
        self.assertIn("found '70000'",
                      self._refused('serve', '--port', '70000'))

    def test_config_file_must_exist(self):
        self.assertIn('there is no file /no/such.conf', self._refused(
            'serve', '--config-file', '/no/such.conf'))

    def test_import_loads_nothing_that_eventlet_would_have_to_patch(self):
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys; import heat_extras.cmd.sandbox; '
             'print([m for m in ("threading", "socket", "heat", "oslo_log")'
             ' if m in sys.modules])'],
            capture_output=True, text=True)
        self.assertEqual('[]\n', done.stdout, done.stderr)
