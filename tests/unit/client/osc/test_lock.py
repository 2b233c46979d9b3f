# SPDX-License-Identifier: Apache-2.0

import contextlib
import datetime
import io
import json

import fixtures
from osc_lib import exceptions
from testtools import matchers
import yaml

from heat_extras.client.osc import lock
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


def resource(name, protection, reason=None):
    return {'resource_name': name, 'resource_type': 'OS::Heat::Value',
            'stack_name': 'web', 'physical_resource_id': 'id-' + name,
            'lock_protection': protection,
            'lock_protection_reason': reason}


class LockStackTest(base.CommandTestCase):

    def lock(self, *arguments):
        return self.call(lock.LockStack, *arguments)

    def test_reason_is_shown_in_table_yaml_and_value(self):
        self.heat.add('web')
        reason = 'Grüße "von" 北京'
        arguments = ('web', '--level', 'stacks', '--reason', reason)
        self.assertThat(self.lock(*arguments)[1].splitlines(),
                        matchers.AnyMatch(matchers.MatchesRegex(
                            r'\| Lock Reason +\| Grüße "von" 北京 +\|$')))
        code, out, err = self.lock(*arguments, '-f', 'yaml')
        self.assertEqual(reason, yaml.safe_load(out)[0]['Lock Reason'])
        code, out, err = self.lock(*arguments, '-f', 'value', '-c',
                                   'Lock Reason', '-c', 'Result')
        self.assertEqual(reason + ' locked\n', out)

    def test_unknown_level_is_rejected_with_choices(self):
        heard = io.StringIO()
        self.useFixture(fixtures.MonkeyPatch('sys.stderr', heard))
        error = self.assertRaises(
            SystemExit, self.lock, '--level', 'most', 'web')
        self.assertEqual(2, error.code)
        self.assertThat(heard.getvalue(), matchers.MatchesRegex(
            "(?s).*--level: invalid choice: 'most' .*stacks'?, '?all"))

    def test_lock_continues_with_next_stack_after_error(self):
        self.heat.add('web')
        held = self.heat.add('db')
        held.body.update(lock_status='LOCK_COMPLETE', lock_level='all',
                         locked_by='bob')
        held.refusal = client_base.fault(
            409, 'StackLocked', 'Stack db is locked (level all) by bob: '
                                '"mine". To unlock the stack: openstack stack '
                                'unlock db.')
        self.heat.add('cache')
        code, out, err = self.lock(
            '--level', 'stacks', 'web', 'db', 'cache', '-f', 'json')
        self.assertEqual(1, code)
        rows = json.loads(out)
        self.assertEqual(
            [('web', 'locked'), ('db', 'failed'), ('cache', 'locked')],
            [(row['Stack Name'], row['Result']) for row in rows])
        self.assertEqual('bob', rows[1]['Locked By'])
        self.assertEqual(
            'Stack db is locked (level all) by bob: "mine". To unlock the '
            'stack: openstack stack unlock db.\n', err)

    def test_failed_lock_of_one_stack_is_shown_in_table(self):
        web = self.heat.add('web')
        web.to_come = [lambda web: web.reach('LOCK_FAILED', 'Nova said no')]
        code, out, err = self.lock('--wait', 'web')
        self.assertEqual(1, code)
        self.assertRegex(out, r'\| Lock Level +\| all +\|')
        self.assertRegex(out, r'\| Lock Status +\| LOCK_FAILED +\|')
        self.assertThat(err, matchers.EndsWith(
            'stack web: LOCK_FAILED: Nova said no. The stack stays locked. To '
            'retry, lock the stack again\n'
            'Locked: web (with all nested stacks). The stack status does not '
            'show the lock. To list the lock: openstack stack lock list\n'))

    def test_stack_that_is_named_twice_gets_one_request(self):
        web = self.heat.add('web')
        self.heat.add('db')
        code, out, err = self.lock(web.id, 'web', 'db', f'web/{web.id}', '-f',
                                   'value', '-c', 'Stack Name', '-c', 'Result')
        self.assertEqual((0, 'web locked\ndb locked\n', ''), (code, out, err))
        self.assertEqual(2, len(self.heat.posts()))

    def test_invalid_name_prevents_all_requests(self):
        self.heat.add('web')
        for name, text in (
                ('', 'stack "" is not valid: expected a name or an ID'),
                ('db/1', 'The Stack (db) could not be found.')):
            code, out, err = self.lock('web', name)
            self.assertEqual(
                (1, f'{text}\nNo request was sent for these stacks: web\n'),
                (code, err))
        self.assertEqual([], self.heat.posts())

    def test_locked_stacks_and_list_command_are_printed(self):
        for name in 'web', 'db', 'busy':
            self.heat.add(name)
        self.heat.stacks[-1].refusal = client_base.fault(409, 'No', 'Busy.')
        self.assertEqual(
            'Busy.\nLocked: web, db (with all nested stacks). The stack '
            'status does not show the lock. To list the locks: openstack '
            'stack lock list\n',
            self.lock('web', 'busy', 'db')[2].replace('stack busy: ', ''))
        # With a server that shows the lock in the stack status.
        self.heat.stacks[0].covers = True
        self.assertEqual(
            'Locked: web (with all nested stacks). To list the lock: '
            'openstack stack lock list\n', self.lock('web')[2])
        self.assertEqual('', self.lock('db', '-f', 'json')[2])
        self.assertEqual('', self.call(lock.UnlockStack, 'db')[2])

    def test_table_of_several_stacks_fits_80_columns(self):
        for name in ('web', 'a-stack-with-a-name', 'mail'):
            self.heat.add(name)
        code, out, err = self.lock('web', 'a-stack-with-a-name', 'mail',
                                   '--level', 'stacks', '--reason', 'x' * 99)
        lines = out.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(['Stack Name', 'Lock Level', 'Lock Status', 'Result'],
                         [head.strip() for head in
                          lines[1].strip('|').split('|')])

    def test_dry_run_lists_resources_and_locks_nothing(self):
        web = self.heat.add('web')
        web.refusal = 200, {'lock': {'resources': [
            resource('server', 'protected'),
            resource('key', 'no_lock_api', 'Nova keeps no lock of it')]}}
        code, out, err = self.lock('--dry-run', 'web', 'nosuch',
                                   '-f', 'json')
        self.assertEqual([{
            'Stack Name': 'web', 'Resource Name': 'server',
            'Resource Type': 'OS::Heat::Value',
            'Physical Resource ID': 'id-server',
            'Lock Protection': 'protected',
            'Lock Protection Reason': None}], json.loads(out)[:1])
        self.assertEqual(2, len(json.loads(out)))
        self.assertEqual({'lock': {'dry_run': True}},
                         self.heat.posts()[0][1])
        self.assertEqual(
            (1, 'The Stack (nosuch) could not be found.\n'),
            (code, err))

    def test_dry_run_sends_lock_id(self):
        self.heat.add('web').refusal = 200, {'lock': {'resources': []}}
        for option, wanted in (('--if-unlocked', None), ('--lock-id=x', 'x')):
            self.lock('--dry-run', option, 'web')
            self.assertEqual({'lock': {'dry_run': True,
                                       'id': wanted}},
                             self.heat.posts()[-1][1])

    def test_lock_id_and_if_unlocked_are_sent(self):
        self.heat.add('web', 'env=prod')
        for command, options, sent in (
                (lock.LockStack, ('--lock-id', 'any', 'web'),
                 {'lock': {'id': 'any'}}),
                (lock.LockStack, ('--if-unlocked', '--tag', 'env=prod'),
                 {'lock': {'id': None}}),
                (lock.UnlockStack, ('--lock-id', 'x', 'web'),
                 {'unlock': {'id': 'x'}})):
            self.assertEqual(0, self.call(command, *options)[0])
            self.assertEqual(sent, self.heat.posts()[-1][1])

    def test_expiration_is_sent_for_each_stack_and_shown(self):
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.options._now', lambda: datetime.datetime(
                2026, 12, 24, 16, tzinfo=datetime.timezone.utc)))
        end = '2026-12-24T18:00:00Z'
        for name in 'web', 'mail':
            self.heat.add(name, 'env=prod')
        for words in (('--for', '2h', 'web', 'mail'),
                      ('--expires-at', end, '--tag', 'env=prod')):
            code, out, err = self.lock('--level', 'stacks', *words, '-f',
                                       'value', '-c', 'Lock Expires At')
            self.assertEqual((0, f'{end}\n{end}\n'), (code, out), err)
            self.assertEqual(
                [{'lock': {'level': 'stacks', 'expires_at': end}}] * 2,
                [body for _path, body in self.heat.posts()[-2:]])
        self.heat.stacks[0].refusal = 200, {'lock': {'resources': []}}
        self.lock('--dry-run', '--for', '2h', 'web')
        self.assertEqual({'dry_run': True, 'expires_at': end},
                         self.heat.posts()[-1][1]['lock'])

    def test_invalid_expiration_is_rejected(self):
        for words, message in (
                (('--for', 'ever'), "'ever' is not valid: expected days"),
                (('--for', '2h', '--expires-at', 'x'), 'not allowed with')):
            heard = io.StringIO()
            with contextlib.redirect_stderr(heard):
                self.assertRaises(SystemExit, self.lock, 'web', *words)
            self.assertIn(message, heard.getvalue())

    def test_lock_id_with_several_stacks_is_rejected(self):
        for command in lock.LockStack, lock.UnlockStack:
            for which in ('web', 'db'), ('--tag', 'env=prod'):
                error = self.assertRaises(
                    exceptions.CommandError, self.call, command, '--lock-id',
                    'x', *which)
                self.assertIn('a lock belongs to one stack', str(error))
        self.assertEqual([], self.heat.requests)

    def test_either_stack_names_or_tag_is_required(self):
        for command in lock.LockStack, lock.UnlockStack:
            heard = io.StringIO()
            with contextlib.redirect_stderr(heard):
                error = self.assertRaises(SystemExit, self.call, command,
                                          '--tag', 'env=prod', 'web')
                self.assertEqual(2, error.code)
                # SystemExit of take_action would end an interactive client.
                self.assertEqual((2, '', ''), self.call(command))
            for message in ('not allowed with', (
                    'error: no stack was named: give the name or ID of each '
                    '<stack>, or --tag <tag>\n')):
                self.assertIn(message, heard.getvalue())


class InterruptedWaitTest(base.CommandTestCase):

    def interrupted(self, *arguments):
        def wait(*_arguments):
            raise KeyboardInterrupt

        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.wait.wait_for_end', wait))
        return self.call(lock.LockStack, '--wait', *arguments, '-f', 'value',
                         '-c', 'Stack Name', '-c', 'Result')

    def test_interrupted_wait_prints_command_to_follow_lock(self):
        self.heat.add('web').to_come = [None]
        self.assertEqual((130, 'web in progress\n', (
            'stack web: lock is in progress. To follow it: openstack stack '
            'event list --follow web\n'
        )), self.interrupted('web'))

    def raise_interrupt(self, target):
        def interrupt(*_arguments, **_fields):
            raise KeyboardInterrupt

        return fixtures.MonkeyPatch(f'heat_extras.client.{target}', interrupt)

    def test_interrupt_names_what_was_done_and_what_was_not_sent(self):
        for name in 'web', 'db':
            self.heat.add(name, 'env=prod')
        check = 'check with "openstack stack show web"\n'
        left = 'No request was sent for these stacks: '
        for target, expected in (
                ('stack_action._tagged', 'No request was sent.\n'),
                ('managers.LockManager.resolve', left + 'web, db\n'),
                ('managers.LockManager._post_action',
                 'stack web: interrupted. Heat might have accepted the lock: '
                 + check + left + 'db\n'),
                ('stack_action.StackAction._read_stack',
                 'stack web: interrupted. lock accepted: '
                 + check + left + 'db\n')):
            with self.raise_interrupt(target):
                code, out, err = self.call(
                    lock.LockStack, '--tag', 'env=prod', '-f', 'json')
            self.assertEqual((130, expected), (code, err))
            self.assertEqual(
                [('web', 'interrupted')] if 'check' in expected else [],
                [(row['Stack Name'], row['Result'])
                 for row in json.loads(out)])
        self.assertEqual(1, len(self.heat.posts()))

    def test_second_interrupt_ends_command_at_once(self):
        def resist(action):
            raise KeyboardInterrupt

        self.heat.add('web')
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.stack_action.StackAction._read_stack', resist))
        self.assertRaises(KeyboardInterrupt, self.interrupted, 'web')


class UnlockStackTest(base.CommandTestCase):

    def unlock(self, *arguments):
        return self.call(lock.UnlockStack, *arguments)

    def test_unlock_result_row_shows_no_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks'})
        code, out, err = self.unlock(web.id, '-f', 'json')
        self.assertEqual([{
            'Stack ID': web.id, 'Stack Name': 'web',
            'Stack Status': 'CREATE_COMPLETE', 'Lock Level': None,
            'Lock Status': None, 'Lock Reason': None, 'Locked By': None,
            'Lock ID': None, 'Lock Expires At': None,
            'Result': 'unlocked'}], json.loads(out))
        self.assertEqual((0, ''), (code, err))

    def test_unlock_failed_status_is_reported_as_error(self):
        web = self.heat.add('web')
        web.unlock = lambda options: web.reach('UNLOCK_FAILED', 'Nova said')
        code, out, err = self.unlock('web')
        self.assertEqual((1, 'stack web: UNLOCK_FAILED: Nova said. The stack '
                             'stays locked\n'), (code, err))

    def test_ignore_failures_waits_and_lists_protected_resources(self):
        web = self.heat.add('web')
        web.lock({})
        web.guards = [
            {'kind': kind, 'name': name, 'stack_name': 'web-inner'}
            for kind, name in (('protection', 'server'), ('lock', None),
                               ('protection', 'share'))]
        code, out, err = self.unlock('--ignore-failures', 'web', '-f', 'json')
        self.assertIn('[web]: UNLOCK_COMPLETE', err)
        self.assertThat(err, matchers.EndsWith(
            'WARNING: stack web: 2 resources might still be protected, '
            'because an unlock could not release them: server of stack '
            'web-inner, share of stack web-inner\n'))
        web.refusal = client_base.fault(404, 'NotFound', 'No guards.')
        web.guards = []
        self.assertEqual(1, self.unlock('--ignore-failures', 'web')[0])


class SetLockTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web', 'env=prod')
        self.web.lock({'level': 'stacks'})

    def set(self, *arguments):
        return self.call(lock.SetLock, *arguments)

    def test_set_lock_result_row_shows_expiration(self):
        code, out, err = self.set('--expires-at', '2026-12-24T18:00:00Z',
                                  'web', '-f', 'json')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual([{
            'Stack ID': self.web.id, 'Stack Name': 'web',
            'Stack Status': 'CREATE_COMPLETE', 'Lock Level': 'stacks',
            'Lock Status': 'LOCK_COMPLETE',
            'Lock Reason': None, 'Locked By': 'alice',
            'Lock ID': 'lock-of-web',
            'Lock Expires At': '2026-12-24T18:00:00Z',
            'Result': 'expiration changed'}], json.loads(out))

    def test_expiration_options_and_lock_id_are_sent(self):
        for words, sent in (
                (('--no-expiry', '--tag', 'env=prod'), {'expires_at': None}),
                (('--expires-at', 'then', '--lock-id', 'x', 'web'),
                 {'expires_at': 'then', 'id': 'x'})):
            self.assertEqual(0, self.set(*words)[0])
            self.assertEqual({'extend_lock': sent}, self.heat.posts()[-1][1])
        self.set('web', '--for', '2h')
        sent = self.heat.posts()[-1][1]['extend_lock']
        self.assertRegex(sent['expires_at'], r'T\d\d:\d\d:\d\dZ$')
