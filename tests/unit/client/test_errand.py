# SPDX-License-Identifier: Apache-2.0

import json
from unittest import mock

from testtools import matchers

from heat_extras.client import messages
from heat_extras.client.osc import stack
from tests.unit.client import answers
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class ErrandTest(base.CommandTestCase):

    def lock(self, *arguments):
        return self.call(stack.LockStack, *arguments)

    def test_a_dead_server_is_a_failure_of_each_stack(self):
        with client_base.HeatServer() as self.heat:
            pass
        code, out, err = self.lock('web', 'db', '-f', 'json')
        self.assertEqual(1, code)
        self.assertEqual(['web', 'db'],
                         [row['Stack Name'] for row in json.loads(out)])
        self.assertThat(err, matchers.StartsWith(
            'stack web: Unable to establish connection to http'))

    def test_done_is_done_even_where_show_is_forbidden(self):
        web = self.heat.add('web')
        web.show_refusal = client_base.fault(403, 'Forbidden', 'Not yours.')
        code, out, err = self.lock('--level', 'stacks', 'web', '-f', 'json')
        self.assertEqual(0, code)
        row, = json.loads(out)
        self.assertEqual(
            ('web', None, 'lock accepted; the stack is not shown: Not '
             'yours.'),
            (row['Stack Name'], row['Stack Status'], row['Result']))

    def test_the_id_is_that_of_the_lock_that_was_made(self):
        for now, said in (('other', 'lock other is'),
                          (None, 'it is not locked')):
            web = self.heat.add(f'web-{now}')
            web.to_come = [lambda stack, now=now: (
                stack.body.update(lock_id=now), stack.reach('LOCK_COMPLETE'))]
            code, out, err = self.lock('--wait', web.name, '-f', 'value',
                                       '-c', 'Lock ID')
            self.assertEqual((0, f'lock-of-{web.name}\n'), (code, out))
            self.assertIn(f'stack {web.name}: lock lock-of-{web.name} is not '
                          f'in force any more: {said}. Somebody', err)

    def test_a_lock_that_has_ended_was_not_changed_by_somebody(self):
        web = self.heat.add('web')
        web.to_come = [lambda stack: (stack.reach('LOCK_COMPLETE'),
                                      stack.unlock(None))]
        code, out, err = self.lock('--wait', '--for', '1s', 'web')
        self.assertEqual(0, code)
        self.assertIn('it is not locked. It has expired, or somebody has '
                      'unlocked the stack\n', err)

    def test_a_lock_that_is_refused_has_no_id(self):
        held = self.heat.add('held')
        held.lock({'level': 'all'})
        held.refusal = client_base.fault(409, 'StackLockConflict', 'Bobs.')
        for command, shown in ((stack.LockStack, 'None'),
                               (stack.UnlockStack, 'lock-of-held')):
            code, out, err = self.call(command, 'held', '-f', 'value',
                                       '-c', 'Lock ID', '-c', 'Locked By')
            self.assertEqual(
                (1, f'alice {shown}\n', 'stack held: Bobs.\n'),
                (code, out, err))

    def test_a_server_without_ids_answers_with_nothing(self):
        web = self.heat.add('web')
        with mock.patch.object(web, 'lock', return_value=None):
            code, out, err = self.lock('--level', 'stacks', 'web', '-f',
                                       'json')
        self.assertEqual((0, None, ''),
                         (code, json.loads(out)[0]['Lock ID'], err))

    def test_an_error_after_a_lock_is_no_status_and_no_success(self):
        for wait in ((), ('--wait',)):
            web = self.heat.add(f'web{len(wait)}')
            web.show_refusal = client_base.fault(500, 'Error', 'Broken.')
            code, out, err = self.lock('--level', 'stacks', web.name, '-f',
                                       'json', *wait)
            self.assertEqual('stacks', web.body['lock_level'])
            self.assertEqual(1, code)
            row, = json.loads(out)
            self.assertIsNone(row['Lock Status'])
            said = (f'{"locked" if wait else "lock accepted"}, but the '
                    'stack could not be read afterwards: Broken. Look with '
                    f'"openstack stack show {web.name}"')
            self.assertEqual(
                f'{"locked" if wait else "lock accepted"}, then failed',
                row['Result'])
            self.assertIn(said, err)

    def test_so_is_one_while_the_end_is_awaited(self):
        web = self.heat.add('web')
        web.to_come = [lambda stack: setattr(
            stack, 'events_refusal', client_base.fault(500, 'Error', 'Out.'))]
        code, out, err = self.lock('--wait', 'web', '-f', 'json')
        self.assertEqual(1, code)
        row, = json.loads(out)
        self.assertIn('lock accepted, but its end could not be awaited: '
                      'Out. Look with', err)
        self.assertEqual('lock accepted, then failed', row['Result'])
        self.assertEqual('LOCK_IN_PROGRESS', row['Lock Status'])

    def test_a_refusal_shows_who_holds_the_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'mine'})
        web.refusal = client_base.fault(409, 'StackLocked', 'No.')
        code, out, err = self.lock('web', '-f', 'json')
        row, = json.loads(out)
        self.assertEqual(('LOCK_COMPLETE', 'mine', 'alice', 'failed'),
                         (row['Lock Status'], row['Lock Reason'],
                          row['Locked By'], row['Result']))


class BareHeatTest(base.CommandTestCase):
    """Whatever a Heat answers that knows no locks, its user learns so."""

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web')
        for name in ('lock_level', 'lock_reason', 'locked_by'):
            del self.web.body[name]

    def refused(self, command, *options):
        code, out, err = self.call(command, 'web', *options)
        self.assertEqual((1, ''), (code, out))
        self.assertThat(err, matchers.StartsWith('stack web: '))
        self.assertThat(err, matchers.EndsWith(
            f' ({messages.MISSING_LOCKS})\n'))
        self.assertEqual(1, err.count('ask its operator'))

    def test_it_is_said_with_whatever_it_answers(self):
        for answer in (
                *answers.OF_ACTIONS.values(), *answers.OF_NOBODY.values(),
                *(answer for answer, _sure in answers.OF_PATHS.values()),
                *answers.STRANGE.values()):
            self.web.refusal = answer
            for command, *options in (
                    (stack.LockStack,), (stack.UnlockStack,),
                    (stack.LockStack, '--wait'),
                    (stack.SetLock, '--no-expiry'),
                    (stack.LockStack, '--dry-run')):
                self.refused(command, *options)

    def test_an_answer_that_sounds_like_success_is_none(self):
        self.web.refusal = 200, None
        for command, *options in ((stack.LockStack,), (stack.UnlockStack,),
                                  (stack.SetLock, '--no-expiry')):
            self.refused(command, *options)

    def test_an_api_that_lacks_what_the_engine_has_is_told(self):
        self.web.body['lock_level'] = None
        self.web.refusal = answers.OF_ACTIONS['a Heat that speaks German']
        for command, *options in ((stack.LockStack,), (stack.UnlockStack,),
                                  (stack.SetLock, '--no-expiry')):
            self.refused(command, *options)

    def test_an_older_heat_extras_is_told_of(self):
        self.web.body['lock_level'] = None
        self.web.refusal = client_base.fault(
            400, 'HTTPBadRequest', 'Invalid action extend_lock specified')
        code, out, err = self.call(stack.SetLock, 'web', '--no-expiry')
        self.assertEqual(
            (1, 'stack web: Invalid action extend_lock specified '
                f'({messages.OLDER})\n'), (code, err))
        del self.web.body['lock_level']
        self.refused(stack.SetLock, '--no-expiry')

    def test_a_heat_with_locks_is_not_suspected(self):
        self.web.body['lock_level'] = None
        for name, answer in {**answers.OF_NOBODY, 'a policy': (
                client_base.fault(403, 'Forbidden', 'No.'))}.items():
            self.web.refusal = answer
            for options in ((), ('--dry-run',)):
                code, out, err = self.call(stack.LockStack, 'web', *options)
                self.assertEqual(1, code, name)
                self.assertNotIn('ask its operator', err, name)
