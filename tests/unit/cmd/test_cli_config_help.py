# SPDX-License-Identifier: Apache-2.0

"""The help of the operator's commands is about them."""

import contextlib
import io

import testtools

from heat_extras.cmd import manage
from heat_extras.cmd import status


class UsageTest(testtools.TestCase):

    def said(self, main, *words):
        """Run a command and return its exit status and what it says."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            error = self.assertRaises(SystemExit, main, list(words))
        return error.code, out.getvalue(), err.getvalue()

    def test_commands_are_shown_without_logging_and_fit_a_screen(self):
        for main, command in ((manage.main, 'list-locks'),
                              (status.main, 'upgrade')):
            for words in (['--help'], ['--config-file', 'x', '-h']):
                code, out, err = self.said(main, *words)
                self.assertEqual((0, ''), (code, err))
                self.assertIn(f'\n    {command} ', out)
                self.assertLess(len(out.splitlines()), 50)
                self.assertNotIn('syslog', out)
                self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_without_a_command_the_usage_is_shown(self):
        for words, fault in (([], 'required: COMMAND'),
                             (['--debug'], 'required: COMMAND'),
                             (['list-lock'], "'db_sync', 'db_version', ")):
            code, out, err = self.said(manage.main, *words)
            self.assertEqual((2, ''), (code, out))
            self.assertIn(fault, err)
            self.assertNotIn('syslog', err)

    def test_a_command_has_its_own_help(self):
        code, out, err = self.said(manage.main, 'list-locks', '--help')
        self.assertEqual(0, code)
        self.assertIn('--verify', out)
        self.assertNotIn('rewrite-templates', out)

    def test_the_version_needs_no_command(self):
        code, out, err = self.said(manage.main, '--version')
        self.assertEqual(0, code)
        self.assertRegex(out + err, r'\d+\.\d+')
