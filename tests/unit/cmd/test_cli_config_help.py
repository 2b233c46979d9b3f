# SPDX-License-Identifier: Apache-2.0

"""Tests of the help of the operator's commands."""

import contextlib
import io

import testtools

from heat_extras.cmd import manage
from heat_extras.cmd import status


class UsageTest(testtools.TestCase):

    def said(self, main, *words):
        """Run a command and return its exit status, stdout, and stderr."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            error = self.assertRaises(SystemExit, main, list(words))
        return error.code, out.getvalue(), err.getvalue()

    def test_help_lists_commands_without_logging_options(self):
        for main, command in ((manage.main, 'list-locks'),
                              (status.main, 'upgrade')):
            for words in (['--help'], ['--config-file', 'x', '-h']):
                code, out, err = self.said(main, *words)
                self.assertEqual((0, ''), (code, err))
                self.assertIn(f'\n    {command} ', out)
                self.assertLess(len(out.splitlines()), 50)
                self.assertNotIn('syslog', out)
                self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_missing_or_unknown_command_shows_usage(self):
        for words, fault in (([], 'required: COMMAND'),
                             (['--debug'], 'required: COMMAND'),
                             (['list-lock'], "'db_sync', 'db_version', ")):
            code, out, err = self.said(manage.main, *words)
            self.assertEqual((2, ''), (code, out))
            self.assertIn(fault, err)
            self.assertNotIn('syslog', err)

    def test_help_of_command_has_its_own_options_only(self):
        code, out, err = self.said(manage.main, 'list-locks', '--help')
        self.assertEqual(0, code)
        self.assertIn('--verify', out)
        self.assertNotIn('rewrite-templates', out)

    def test_version_option_needs_no_command(self):
        code, out, err = self.said(manage.main, '--version')
        self.assertEqual(0, code)
        self.assertRegex(out + err, r'\d+\.\d+')
