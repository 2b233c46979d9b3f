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

    def test_lock_prints_the_fields_of_the_stack(self):
        code, out, err = self.heat_extras(
            'action-lock', self.web.id, '--level=stacks')
        self.assert_fields(out, {
            'Stack ID': self.web.id, 'Stack Name': 'web',
            'Stack Status': 'CREATE_COMPLETE', 'Lock Level': 'stacks',
            'Lock Status': 'LOCK_COMPLETE', 'Result': 'locked'})

    def test_format_and_columns_can_be_chosen(self):
        code, out, err = self.heat_extras(
            'action-lock', 'web', '-f', 'value', '-c', 'Lock ID')
        self.assertEqual('lock-of-web\n', out)

    def test_lock_expiration_is_sent_and_shown(self):
        code, out, err = self.heat_extras(
            'action-lock', '--level=stacks', 'web', '--expires-at',
            '2026-12-24T18:00:00Z')
        self.assertEqual((0, SEEN.format('web')), (code, err))
        self.assertEqual('2026-12-24T18:00:00Z',
                         self.heat.posts()[0][1]['lock']['expires_at'])
        self.assert_fields(out, {'Lock Expires At': '2026-12-24T18:00:00Z',
                                 'Result': 'locked'})

    def test_default_level_all_warns_of_unprotected_resources(self):
        self.web.resources = [{
            'resource_name': 'one', 'lock_protection': 'no_lock_api',
            'lock_protection_reason': 'not protected: no handler installed'}]
        code, out, err = self.heat_extras('action-lock', 'web')
        self.assertEqual({'lock': {}},
                         self.heat.posts()[0][1])
        self.assertEqual(
            (0, 'WARNING: stack web: 1 of 1 resource is not protected: '
                'no handler installed\n' + SEEN.format('web')), (code, err))

    def test_lock_in_progress_prints_command_to_follow(self):
        self.web.to_come = [None]
        code, out, err = self.heat_extras('action-lock', 'web')
        self.assert_fields(out, {'Result': 'in progress'})
        self.assertEqual(
            (0, 'stack web: lock is in progress. To follow it: heat-extras '
                'event-list --format log web (repeat the command until it '
                'lists LOCK_COMPLETE or LOCK_FAILED). With --wait, the '
                'command waits until the action is complete\n'),
            (code, err))

    def test_wait_prints_events_and_lock_id(self):
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.wait.PAUSE', 0.01))
        self.web.to_come = [lambda web: web.reach('LOCK_COMPLETE')]
        code, out, err = self.heat_extras('action-lock', '--wait', 'web')
        self.assertEqual(0, code, err)
        self.assertIn('[web]: LOCK_COMPLETE', err)
        self.assert_fields(out, {'Lock ID': 'lock-of-web',
                                 'Result': 'locked'})

    def test_failed_lock_is_in_table(self):
        self.web.lock = lambda options: self.web.body.update(
            lock_status='LOCK_FAILED', lock_level='all')
        code, out, err = self.heat_extras('action-lock', 'web')
        self.assertEqual(1, code)
        self.assert_fields(out, {'Lock Status': 'LOCK_FAILED',
                                 'Result': 'failed'})
        self.assertIn('The stack stays locked', err)

    def test_dry_run_lists_resources_and_locks_nothing(self):
        self.web.refusal = 200, {'lock': {'resources': [{
            'stack_name': 'web', 'resource_name': 'server',
            'lock_protection': 'protected',
            'lock_protection_reason': None}]}}
        code, out, err = self.heat_extras('action-lock', '--dry-run', 'web',
                                          'nosuch')
        self.assertEqual(
            (1, 'ERROR: The Stack (nosuch) could not be found.\n'),
            (code, err))
        self.assertRegex(out, r'\| web +\| server +\| protected ')
        self.assertEqual([{'lock': {'dry_run': True}}],
                         [body for _path, body in self.heat.posts()])

    def test_interrupt_names_stacks_not_requested(self):
        def interrupt(*_arguments, **_fields):
            raise KeyboardInterrupt

        for target, expected in (
                ('LockManager.resolve', 'stacks: web, other\n'),
                ('LockManager._post_action', 'stacks: other\n')):
            with fixtures.MonkeyPatch(
                    f'heat_extras.client.managers.{target}', interrupt):
                code, out, err = self.heat_extras('action-lock', 'web',
                                                  'other')
            self.assertEqual(130, code)
            self.assertIn('No request was sent for these ' + expected, err)

    def test_unknown_level_is_rejected_with_choices(self):
        code, out, err = self.heat_extras('action-lock', 'web', '--level=x')
        self.assertEqual(2, code)
        self.assertThat(err, matchers.MatchesRegex(
            "(?s).*--level: invalid choice: 'x' .*stacks'?, '?all"))
        self.assertEqual([], self.heat.posts())

    def test_unknown_stack_is_reported_in_plain_text(self):
        self.assertEqual(
            (1, '', 'ERROR: The Stack (nosuch) could not be '
                    'found.\n'),
            self.heat_extras('action-lock', 'nosuch'))
        self.assertEqual(
            'ERROR: The Stack (nosuch) could not be found.\n'
            'No request was sent for these stacks: web\n',
            self.heat_extras('action-lock', 'nosuch', 'web')[2])

    def test_conflict_is_reported_in_plain_text(self):
        self.web.refusal = base.fault(
            409, 'StackLocked', 'Stack web is locked by bob: "größer".')
        self.assertEqual(
            (1, '', 'ERROR: Stack web is locked by bob: '
                    '"größer".\n'),
            self.heat_extras('action-unlock', 'web'))

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

    def test_unlock_sends_request_and_prints_result(self):
        self.web.lock({'level': 'stacks'})
        code, out, err = self.heat_extras('action-unlock', 'web')
        self.assertEqual((0, ''), (code, err))
        self.assert_fields(out, {'Result': 'unlocked'})
        self.assertEqual({'unlock': None}, self.heat.posts()[0][1])


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

    def test_lock_by_tag_continues_after_error(self):
        self.heat.stacks[-2].refusal = base.fault(409, 'StackLocked', 'Busy.')
        code, out, err = self.heat_extras(
            'action-lock', '--level=stacks', '--tag', 'env=prod')
        self.assertEqual(
            (1, 'ERROR: stack mail: Busy.\n' + SEEN.format('db')),
            (code, err))
        self.assertRegex(
            out, r'\| db +\| stacks +\| LOCK_COMPLETE \| locked +\|')
        self.assertRegex(out, r'\| mail +\| +\| +\| failed +\|')

    def test_tag_without_stacks_is_rejected(self):
        code, out, err = self.heat_extras('action-lock', '--tag', 'none')
        self.assertEqual((1, ''), (code, out))
        self.assertIn('ERROR: no stack in this project is selected by --tag '
                      "'none'", err)

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

    def test_unlock_sends_lock_id(self):
        self.heat_extras('action-unlock', 'web', '--lock-id', 'x')
        self.assertEqual({'unlock': {'id': 'x'}}, self.heat.posts()[0][1])


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

    def test_stack_list_works(self):
        code, out, err = self.heat_extras('stack-list')
        self.assertEqual(0, code)
        self.assertIn(' other ', out)

    def test_help_describes_action_lock(self):
        code, out, err = self.heat_extras('help', 'action-lock')
        self.assertIn('heat-extras action-lock', out)
        self.assertIn('so that they cannot be changed', out)

    def test_bash_completion_has_action_unlock_and_level(self):
        code, out, err = self.heat_extras('bash_completion')
        self.assertIn('action-unlock', out.split())
        self.assertIn('--level', out.split())
