# SPDX-License-Identifier: Apache-2.0

import io
import logging

import fixtures
from heatclient import exc
from heatclient import shell
import testtools
from testtools import matchers

from heat_extras.client import heat_shell
from tests.unit.client import base


SEEN = ('Locked: {} (with all nested stacks). The stack status does not show '
        'the lock. To list the lock: heat-extras lock-list\n')


class ShellTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(base.HeatServer())
        self.web = self.heat.add('web')
        self.heat.add('other')
        # HeatShell.main configures the root logger permanently.
        self.useFixture(fixtures.FakeLogger())

    def heat_extras(self, *arguments):
        """Run the console script.

        :returns: exit status, standard output, standard error
        """
        out, err = io.StringIO(), io.StringIO()
        patches = (fixtures.MonkeyPatch('sys.stdout', out),
                   fixtures.MonkeyPatch('sys.stderr', err))
        with patches[0], patches[1]:
            try:
                heat_shell.main([
                    '--os-no-client-auth', '--os-auth-token', 'alice:member',
                    '--heat-url', self.heat.url, *arguments])
                code = 0
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def assert_fields(self, out, expected):
        """Check fields in the table of a single stack."""
        fields = dict(map(str.strip, line.strip('|').split('|', 1))
                      for line in out.splitlines() if '|' in line)
        self.assertThat(fields, matchers.ContainsDict({
            name: matchers.Equals(value)
            for name, value in expected.items()}))


class HeatCommandTest(testtools.TestCase):

    def test_heat_command_has_no_action_lock(self):
        err = io.StringIO()
        with fixtures.MonkeyPatch('sys.stderr', err):
            self.assertRaises(SystemExit, shell.main,
                              ['action-lock', 'web'])
        self.assertIn("invalid choice: 'action-lock'", err.getvalue())


class ActionLockTest(ShellTestCase):

    def test_error_of_server_is_escaped(self):
        self.web.refusal = base.fault(409, 'StackLocked', 'no\x1b[2J\u202ex')
        code, _out, err = self.heat_extras('action-lock', 'web')
        self.assertEqual(1, code)
        self.assertIn(r'no\x1b[2J\u202ex', err)
        self.assertNotIn('\x1b', err)

    def test_error_after_accepted_lock_is_reported(self):
        self.web.show_refusal = base.fault(500, 'Error', 'Broken.')
        code, out, err = self.heat_extras('action-lock', 'web')
        self.assertEqual((1, ''), (code, out))
        self.assertIn('ERROR: stack web: lock accepted, but the stack could '
                      'not be read afterwards: Broken. Check with '
                      '"heat-extras stack-show web"', err)

    def test_lock_sends_level_and_reason(self):
        code, out, err = self.heat_extras(
            'action-lock', 'web', '--level=stacks', '--reason', 'Größe "L"')
        self.assertEqual(0, code)
        self.assertEqual(
            [(f'/v1/demo/stacks/web/{self.web.id}/actions',
              {'lock': {'level': 'stacks', 'reason': 'Größe "L"'}})],
            self.heat.posts())

    def test_unknown_stack_is_reported_in_plain_text(self):
        self.assertEqual(
            (1, '', 'ERROR: The Stack (nosuch) could not be '
                    'found.\n'),
            self.heat_extras('action-lock', 'nosuch'))
        self.assertEqual(
            'ERROR: The Stack (nosuch) could not be found.\n'
            'No request was sent for these stacks: web\n',
            self.heat_extras('action-lock', 'nosuch', 'web')[2])

    def test_debug_shows_the_traceback(self):
        self.heat.refuse_list(base.fault(403, 'Forbidden', 'Not yours.'))
        self.assertRaises(exc.CommandError, self.heat_extras, '--debug',
                          'lock-list')

    def test_debug_log_has_no_password(self):
        log = self.useFixture(fixtures.FakeLogger(level=logging.DEBUG))
        self.heat_extras('--debug', '--os-password', 's3same',
                         'action-unlock', 'web')
        self.assertIn('run(Namespace(', log.output)
        self.assertNotIn('s3same', log.output)


class ActionExtendLockTest(ShellTestCase):

    def test_new_expiration_is_sent_and_shown(self):
        code, out, err = self.heat_extras(
            'action-extend-lock', '--expires-at', '2026-12-24T18:00:00Z',
            'web')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual(
            {'extend_lock': {'expires_at': '2026-12-24T18:00:00Z'}},
            self.heat.posts()[0][1])
        self.assert_fields(out, {'Lock Expires At': '2026-12-24T18:00:00Z'})


class LockPassTest(ShellTestCase):

    def test_pass_is_granted_and_revoked(self):
        code, out, err = self.heat_extras(
            'action-lock-pass', '--user', 'ann', '--user-domain', 'Users',
            '--expires-at', '2026-12-24T18:00:00Z', 'web')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual({'lock_pass': {
            'user': {'name': 'ann', 'domain': 'Users'},
            'expires_at': '2026-12-24T18:00:00Z'}}, self.heat.posts()[0][1])
        self.assert_fields(out, {'Pass For': 'ann (domain Users)',
                                 'Pass Expires At': '2026-12-24T18:00:00Z'})
        code, out, err = self.heat_extras('action-revoke-lock-pass', 'web')
        self.assertEqual((0, ''), (code, err))
        self.assertNotIn('ann', out)


class SignalTest(ShellTestCase):

    def test_signal_of_locked_stack_shows_lock(self):
        self.useFixture(fixtures.MockPatch(
            'heatclient.v1.resources.ResourceManager.signal'))
        self.web.lock({'level': 'stacks', 'reason': 'db move'})
        code, out, err = self.heat_extras('resource-signal', 'web', 'grow')
        self.assertEqual((0, ''), (code, out))
        self.assertIn('Locked (level stacks) by alice', err)
        self.assertIn('Signals to a locked stack are ignored', err)


class TagTest(ShellTestCase):

    def setUp(self):
        super().setUp()
        for name in 'mail', 'db':
            self.heat.add(name, 'env=prod')

    def test_action_by_tag_reports_each_stack(self):
        for verb in 'protect', 'unprotect', 'unlock':
            code, out, err = self.heat_extras(f'action-{verb}', '--tag',
                                              'env=prod')
            self.assertEqual((0, ''), (code, err))
            self.assertIn('| mail ', out)
            self.assertIn('| db ', out)
            self.assertNotIn('| web ', out)

    def test_help_and_completion_have_tag_option(self):
        self.assertIn('--tag <tag>', self.heat_extras(
            'help', 'action-unprotect')[1])
        self.assertIn('--tag', self.heat_extras(
            'bash_completion')[1].split())


class LockListTest(ShellTestCase):

    def test_lock_list_shows_columns_of_lock(self):
        self.web.lock({'level': 'stacks', 'reason': 'db\x1b[2J',
                       'expires_at': '2026-12-24T18:00:00Z'})
        code, out, err = self.heat_extras('lock-list')
        self.assertEqual((0, ''), (code, err))
        self.assertRegex(out, r'\| web +\| stacks \| LOCK_COMP')
        self.assertIn(r'| db\x1b[2J |', out)
        self.assertNotIn('Project', out)
        self.assertIn('| 2026-12-24T18:00:00Z |', out)
        self.assertIn('Project', self.heat_extras(
            'lock-list', '--all-projects')[1])

    def test_lock_list_reports_error_of_heat(self):
        self.heat.refuse_list(base.fault(403, 'Forbidden', 'Not yours.'))
        self.assertEqual((1, '', 'ERROR: Not yours.\n'),
                         self.heat_extras('lock-list'))


class SubcommandsTest(ShellTestCase):

    def commands(self, shell_class):
        built = shell_class()
        built.get_subcommand_parser('1')
        return set(built.subcommands)

    def test_shell_has_commands_of_heat_and_heat_extras(self):
        self.assertEqual(
            self.commands(shell.HeatShell)
            | {'action-lock', 'action-unlock', 'action-protect',
               'action-unprotect', 'action-extend-lock',
               'action-lock-pass', 'action-revoke-lock-pass', 'lock-list'},
            self.commands(heat_shell.HeatExtrasShell))

    def test_shell_of_heatclient_is_unchanged(self):
        self.assertNotIn('action-lock', self.commands(shell.HeatShell))

    def test_bash_completion_has_action_unlock_and_level(self):
        code, out, err = self.heat_extras('bash_completion')
        self.assertIn('action-unlock', out.split())
        self.assertIn('--level', out.split())
