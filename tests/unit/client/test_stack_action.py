# SPDX-License-Identifier: Apache-2.0

import json
import types

from heatclient import exc
import testtools
from testtools import matchers

from heat_extras.client import error_message
from heat_extras.client.osc import lock
from heat_extras.client import stack_action
from tests.unit.client import answers
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class StackActionTest(base.CommandTestCase):

    def lock(self, *arguments):
        return self.call(lock.LockStack, *arguments)

    def test_unreachable_server_fails_each_stack(self):
        with client_base.HeatServer() as self.heat:
            pass
        code, out, err = self.lock('web', 'db', '-f', 'json')
        self.assertEqual(1, code)
        self.assertEqual(['web', 'db'],
                         [row['Stack Name'] for row in json.loads(out)])
        self.assertThat(err, matchers.StartsWith(
            'stack web: Unable to establish connection to http'))

    def test_shown_lock_id_is_id_of_created_lock(self):
        for now in 'other', None:
            web = self.heat.add(f'web-{now}')
            web.to_come = [lambda stack, now=now: (
                stack.body.update(lock_id=now), stack.reach('LOCK_COMPLETE'))]
            code, out, err = self.lock('--wait', web.name, '-f', 'value',
                                       '-c', 'Lock ID')
            self.assertEqual((0, f'lock-of-{web.name}\n'), (code, out))

    def test_rejected_lock_shows_no_lock_id(self):
        held = self.heat.add('held')
        held.lock({'level': 'all'})
        held.refusal = client_base.fault(409, 'StackLockConflict', 'Bobs.')
        for command, shown in ((lock.LockStack, 'None'),
                               (lock.UnlockStack, 'lock-of-held')):
            code, out, err = self.call(command, 'held', '-f', 'value',
                                       '-c', 'Lock ID', '-c', 'Locked By')
            self.assertEqual(
                (1, f'alice {shown}\n', 'stack held: Bobs.\n'),
                (code, out, err))

    def test_error_after_accepted_lock_is_failure_without_status(self):
        for wait in ((), ('--wait',)):
            web = self.heat.add(f'web{len(wait)}')
            web.show_refusal = client_base.fault(500, 'Error', 'Broken.')
            code, out, err = self.lock('--level', 'stacks', web.name, '-f',
                                       'json', *wait)
            self.assertEqual('stacks', web.body['lock_level'])
            self.assertEqual(1, code)
            row, = json.loads(out)
            self.assertIsNone(row['Lock Status'])
            failure = ('its progress could not be queried' if wait
                       else 'the stack could not be read afterwards')
            self.assertEqual('lock accepted, then failed', row['Result'])
            self.assertIn(f'lock accepted, but {failure}: Broken. Check with '
                          f'"openstack stack show {web.name}"', err)

    def test_error_during_wait_is_failure(self):
        web = self.heat.add('web')
        web.to_come = [lambda stack: setattr(
            stack, 'events_refusal', client_base.fault(500, 'Error', 'Out.'))]
        code, out, err = self.lock('--wait', 'web', '-f', 'json')
        self.assertEqual(1, code)
        row, = json.loads(out)
        self.assertIn('lock accepted, but its progress could not be queried: '
                      'Out. Check with', err)
        self.assertEqual('lock accepted, then failed', row['Result'])
        self.assertEqual('LOCK_IN_PROGRESS', row['Lock Status'])

    def test_rejected_lock_shows_existing_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'mine'})
        web.refusal = client_base.fault(409, 'StackLocked', 'No.')
        code, out, err = self.lock('web', '-f', 'json')
        row, = json.loads(out)
        self.assertEqual(('LOCK_COMPLETE', 'mine', 'alice', 'failed'),
                         (row['Lock Status'], row['Lock Reason'],
                          row['Locked By'], row['Result']))


class HeatWithoutLocksTest(base.CommandTestCase):
    """Errors of a Heat without locks explain that it has no locks."""

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
            f' ({error_message.MISSING_LOCKS})\n'))
        self.assertEqual(1, err.count('Ask the operator of this Heat'))

    def test_missing_locks_are_reported_for_any_response(self):
        for answer in (
                *answers.OF_ACTIONS.values(), *answers.OF_NOBODY.values(),
                *(answer for answer, _sure in answers.OF_PATHS.values()),
                *answers.STRANGE.values()):
            self.web.refusal = answer
            for command, *options in (
                    (lock.LockStack,), (lock.UnlockStack,),
                    (lock.LockStack, '--wait'),
                    (lock.SetLock, '--no-expiry')):
                self.refused(command, *options)

    def test_success_response_without_locks_is_failure(self):
        self.web.refusal = 200, None
        for command, *options in ((lock.LockStack,), (lock.UnlockStack,),
                                  (lock.SetLock, '--no-expiry')):
            self.refused(command, *options)

    def test_missing_lock_action_of_api_is_reported(self):
        """For example, the paste filter is missing after an upgrade."""
        self.web.body['lock_level'] = None
        self.web.refusal = answers.OF_ACTIONS['Heat']
        for command, *options in ((lock.LockStack,), (lock.UnlockStack,),
                                  (lock.LockStack, '--dry-run')):
            self.refused(command, *options)

    def test_error_of_heat_with_locks_is_no_missing_feature(self):
        self.web.body['lock_level'] = None
        for name, answer in {**answers.OF_NOBODY, 'a policy': (
                client_base.fault(403, 'Forbidden', 'No.'))}.items():
            self.web.refusal = answer
            for options in ((), ('--dry-run',)):
                code, out, err = self.call(lock.LockStack, 'web', *options)
                self.assertEqual(1, code, name)
                self.assertNotIn('Ask the operator of this Heat', err, name)


class SelectTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(client_base.HeatServer())
        self.web = self.heat.add('web', 'env=prod', 'team=a')
        self.mail = self.heat.add('mail', 'env=prod')
        self.heat.add('test', 'env=test')

    def choose(self, *tags, stack=(), client=None):
        return stack_action.select(
            client or self.heat.session_client(),
            types.SimpleNamespace(tag=tags, stack=stack))

    def test_select_by_name_sends_no_request(self):
        self.assertEqual([('web', None), ('nosuch', None)],
                         self.choose(stack=('web', 'nosuch')))
        self.assertEqual([], self.heat.requests)

    def test_select_by_tags_requires_all_tags(self):
        web = 'web', f'web/{self.web.id}'
        mail = 'mail', f'mail/{self.mail.id}'
        for tags, wanted in ((('env=prod',), [web, mail]),
                             (('env=prod', 'team=a'), [web]),
                             (('env=prod,team=a',), [web])):
            for client in (self.heat.session_client(),
                           self.heat.token_client()):
                self.assertEqual(wanted, self.choose(*tags, client=client))

    def test_select_by_tag_includes_hidden_stacks(self):
        self.choose('env=prod')
        self.assertIn('show_hidden=True', self.heat.requests[0][1])

    def test_tag_without_stacks_is_rejected(self):
        error = self.assertRaises(stack_action.NothingSelected, self.choose,
                                  'env=none')
        self.assertEqual(
            "no stack in this project is selected by --tag 'env=none'. To "
            'show the tags of a stack: openstack stack show -c tags '
            'STACK', str(error))

    def test_empty_tag_is_rejected(self):
        for tags in ('',), (' ',), (',',), ('env=prod', ''), ('env=prod,',):
            self.assertRaises(stack_action.NothingSelected, self.choose, *tags)
        self.assertEqual([], self.heat.requests)

    def test_select_by_tag_is_limited_to_own_project(self):
        self.web.body['project'] = 'demo'
        self.mail.body['project'] = 'other'
        for client in self.heat.session_client(), self.heat.token_client():
            self.assertEqual(
                ['web'], [each.name for each
                          in self.choose('env=prod', client=client)])
        self.web.body['project'] = 'other'
        self.assertRaises(stack_action.NothingSelected, self.choose,
                          'env=prod')

    def test_select_raises_error_of_server(self):
        self.heat.refuse_list(client_base.fault(403, 'Forbidden',
                                                'Not yours.'))
        self.assertRaises(exc.HTTPForbidden, self.choose, 'env=prod')
