# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import subprocess
import sys

import testtools

from heat_extras.cmd import sandbox


class SandboxCommandTest(testtools.TestCase):

    def _refused(self, *arguments):
        """Return the error message about invalid arguments."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertRaises(SystemExit, sandbox.main, arguments)
        return errors.getvalue()

    def test_a_command_is_required(self):
        self.assertIn('COMMAND', self._refused())

    def test_port_must_be_a_number(self):
        self.assertIn("'http' is not valid",
                      self._refused('serve', '--port', 'http'))
        self.assertIn("'70000' is not valid",
                      self._refused('serve', '--port', '70000'))

    def test_unknown_demo_chapters_are_rejected(self):
        self.assertIn("'locks', 'guard' is not valid: expected any of lock, ",
                      self._refused('demo', '--only', 'locks,health,guard'))

    def test_demo_chapters_may_be_separated_by_spaces(self):
        self.assertEqual(['lock', 'health'], sandbox._chapters('lock, health'))

    def test_config_file_must_exist(self):
        self.assertIn('file /no/such.conf does not exist', self._refused(
            'serve', '--config-file', '/no/such.conf'))

    def test_import_loads_no_module_that_eventlet_patches(self):
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys; import heat_extras.cmd.sandbox; '
             'print([m for m in ("threading", "socket", "heat", "oslo_log")'
             ' if m in sys.modules])'],
            capture_output=True, text=True)
        self.assertEqual('[]\n', done.stdout, done.stderr)
