# SPDX-License-Identifier: Apache-2.0

"""Tests of the stack lock through HTTP."""

import time

from tests.functional import base
from tests.functional import templates
from tests.harness import waiting


class StackLockTestCase(base.TestCase):
    """Test case with a stack, and a token for each kind of user."""

    template = templates.SMALL
    files = None
    name = 'web'

    def setUp(self):
        super().setUp()
        self.name = f'{self.name}-{self.id().rpartition(".")[2][5:45]}'
        self.admin = self.sandbox.client('ops', 'admin', 'member')
        self.reader = self.sandbox.client('eve', 'reader')
        self.path = self.create()
        self.addCleanup(self._delete)

    def create(self):
        return self.client.create_stack(
            self.name, self.template, parameters={'value': 'one'},
            files=self.files)

    def _delete(self):
        self.unlock(self.admin)
        self.client.delete(self.path)

    def lock(self, client=None, **fields):
        return (client or self.client).post(
            self.path + '/actions', {'lock': fields or None})

    def unlock(self, client=None):
        return (client or self.client).post(
            self.path + '/actions', {'unlock': None})

    def action(self, name, **fields):
        return self.client.post(self.path + '/actions',
                                {name: fields or None})

    def update(self, value='two', path=None):
        return self.client.put(path or self.path, {
            'template': self.template, 'parameters': {'value': value},
            'files': self.files})

    def events(self, path=None):
        answer = self.client.get((path or self.path) + '/events?sort_dir=asc')
        return [(event['resource_name'], event['resource_status'],
                 event['resource_status_reason'])
                for event in answer.json()['events']]

    def assert_status(self, wanted, answer):
        self.assertEqual(wanted, answer.status_code, answer.text)
        return answer

    def assert_refused(self, answer):
        """Assert a 409 that describes the lock, and return its message."""
        self.assert_status(409, answer)
        error = answer.json()['error']
        self.assertEqual('StackLocked', error['type'])
        self.assertIn('is locked (level ', error['message'])
        self.assertIn(f'openstack stack unlock {self.name}.',
                      error['message'])
        return error['message']


class LockTest(StackLockTestCase):
    def test_lock_is_shown_beside_stack_status(self):
        answer = self.assert_status(200, self.lock(
            level='stacks', reason='db move'))
        stack = self.client.show_stack(self.path)
        self.assertEqual({'lock': {'id': stack['lock_id'],
                                   'previous_id': None}}, answer.json())
        self.assertEqual('CREATE_COMPLETE', stack['stack_status'])
        self.assertNotIn('prior_stack_status', stack)
        self.assertEqual(
            ('LOCK_COMPLETE', 'Stack LOCK completed successfully'),
            (stack['lock_status'], stack['lock_status_reason'][:33]))
        self.assertEqual('stacks', stack['lock_level'])
        self.assertEqual('db move', stack['lock_reason'])
        self.assertEqual('alice', stack['locked_by'])
        self.assertRegex(stack['locked_at'],
                         r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$')

    def test_unlock_restores_stack(self):
        before = self.client.show_stack(self.path)
        self.lock(level='stacks')
        self.assert_status(200, self.unlock())
        stack = self.client.show_stack(self.path)
        self.assertEqual(before, stack)
        self.assert_status(202, self.update('two'))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_lock_fields_of_unlocked_stack_are_null(self):
        stack = self.client.show_stack(self.path)
        for key in ('lock_level', 'lock_status', 'lock_status_reason',
                    'lock_reason', 'locked_by', 'locked_at', 'updatable'):
            self.assertIsNone(stack[key], key)
        self.assertNotIn('prior_stack_status', stack)

    def test_default_level_is_all(self):
        self.assert_status(200, self.lock())
        stack = self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        self.assertEqual('all', stack['lock_level'])
        resources = self.client.get(self.path + '/resources').json()
        self.assertTrue(resources['resources'])
        for resource in resources['resources']:
            self.assertEqual('no_lock_api', resource['lock_protection'])
            self.assertEqual(resource['resource_type'] + ' has no lock API',
                             resource['lock_protection_reason'])
            self.assertEqual('CREATE_COMPLETE', resource['resource_status'])

    def test_dry_run_changes_nothing(self):
        before = self.client.show_stack(self.path), self.events()
        answer = self.assert_status(200, self.lock(level='all',
                                                   dry_run=True))
        self.assertEqual('all', answer.json()['lock']['level'])
        self.assertEqual(
            {'text': 'no_lock_api', 'test': 'no_lock_api'},
            {resource['resource_name']: resource['lock_protection']
             for resource in answer.json()['lock']['resources']})
        self.assertEqual(before, (self.client.show_stack(self.path),
                                  self.events()))

    def test_level_stacks_shows_no_resource_protection(self):
        self.lock(level='stacks')
        answer = self.client.get(self.path + '/resources/text').json()
        self.assertIsNone(answer['resource']['lock_protection'])
        self.assertIsNone(answer['resource']['lock_protection_reason'])
        self.assertEqual('CREATE_COMPLETE',
                         answer['resource']['resource_status'])

    def test_second_lock_changes_level_and_reason(self):
        self.lock(level='all', reason='one')
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        self.assert_status(200, self.lock(level='stacks', reason='two'))
        stack = self.client.show_stack(self.path)
        self.assertEqual(('stacks', 'two'),
                         (stack['lock_level'], stack['lock_reason']))

    def test_unlock_of_unlocked_stack_is_rejected(self):
        answer = self.assert_status(409, self.unlock())
        self.assertEqual('StackLockConflict', answer.json()['error']['type'])
        self.assertIn('is not locked', answer.json()['error']['message'])

    def test_lists_show_lock(self):
        self.lock(level='stacks', reason='db move')
        self.client.create_stack('free-' + self.name, templates.SMALL)
        self.client.create_stack('idle-' + self.name, templates.SMALL)
        for address in ('/stacks', '/stacks/detail'):
            stacks = {stack['stack_name']: stack for stack
                      in self.client.get(address).json()['stacks']}
            locked = stacks.pop(self.name)
            self.assertEqual('CREATE_COMPLETE', locked['stack_status'])
            self.assertEqual(
                ('stacks', 'LOCK_COMPLETE', 'db move', 'alice'),
                (locked['lock_level'], locked['lock_status'],
                 locked['lock_reason'], locked['locked_by']))
            self.assertIsNotNone(locked['locked_at'])
            for name in ('free-' + self.name, 'idle-' + self.name):
                fields = stacks[name]
                self.assertEqual([None] * 4, [fields[field] for field in (
                    'lock_level', 'lock_reason', 'locked_by', 'locked_at')])
                self.assertNotIn('prior_stack_status', fields)

    def test_lock_and_unlock_are_recorded_as_events(self):
        self.lock(level='stacks', reason='db move')
        self.unlock()
        self.assertEqual(
            [(self.name, 'LOCK_IN_PROGRESS',
              'Stack LOCK started. Requested by alice'),
             (self.name, 'LOCK_COMPLETE', 'Stack LOCK completed '
                                          'successfully (level stacks): '
                                          'db move'),
             (self.name, 'UNLOCK_IN_PROGRESS',
              'Stack UNLOCK started. Requested by alice'),
             (self.name, 'UNLOCK_COMPLETE', 'Stack UNLOCK completed '
                                            'successfully')],
            self.events()[-4:])


class RequestTest(StackLockTestCase):
    def _bad(self, body, *texts):
        answer = self.assert_status(
            400, self.client.post(self.path + '/actions', body))
        for text in texts:
            self.assertIn(text, answer.text)
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])

    def test_invalid_bodies_are_rejected(self):
        self._bad({'lock': {'level': 'some'}}, "'some'", 'stacks, all')
        self._bad({'lock': {'level': None}}, 'None', 'stacks, all')
        self._bad({'lock': {'level': ['all']}}, 'stacks, all')
        self._bad({'lock': {'reason': 5}}, '5 must be a string')
        self._bad({'lock': {'reason': 'x' * 256}}, '256', '255')
        self._bad({'lock': {'levle': 'all'}}, "'levle'", 'level, reason')
        self._bad({'lock': {'dry_run': 'yes'}}, "'yes'", 'true or false')
        self._bad({'lock': 'all'}, "'all' must be null or an object")
        self._bad({'lock': ['all']}, "['all'] must be null")
        self._bad({'lock': None, 'unlock': None}, 'Multiple actions')
        self._bad({'unlock': {}}, 'must be null')

    def test_reasons_are_returned_unchanged(self):
        for reason in ('x' * 255, 'Zürich "DB" \'move\' %s 100%', '💾 ☂',
                       '<b>&amp;', 'two\nlines'):
            self.assert_status(200, self.lock(level='stacks', reason=reason))
            stack = self.client.show_stack(self.path)
            self.assertEqual(reason, stack['lock_reason'])
            self.assertIn(reason, self.assert_refused(self.update()))

    def test_blank_reason_is_ignored(self):
        for reason in ('', ' ', '\t\n\u3000'):
            self.assert_status(200, self.lock(level='stacks', reason=reason))
            stack = self.client.show_stack(self.path)
            self.assertIsNone(stack['lock_reason'])
        self.assertNotIn('Z: ', self.assert_refused(self.update()))

    def test_reader_is_rejected_with_403(self):
        for answer in (self.lock(self.reader), self.unlock(self.reader)):
            self.assert_status(403, answer)

    def test_stack_of_other_project_is_not_found(self):
        url = self.sandbox.url.rpartition('/')[0] + '/other'
        other = base.Client(url, 'bob', 'member')
        self.assert_status(404, other.post(
            self.path + '/actions', {'lock': None}))

    def test_unknown_stack_is_not_found(self):
        self.assert_status(404, self.client.post(
            '/stacks/none/1234/actions', {'lock': None}))

    def test_lock_is_rejected_during_create(self):
        path = self.client.create_stack(
            self.name + '-slow', templates.SLOW, wait=False)
        answer = self.assert_status(409, self.client.post(
            path + '/actions', {'lock': None}))
        self.assertEqual('StackLockConflict', answer.json()['error']['type'])
        self.assertIn('CREATE_IN_PROGRESS', answer.json()['error']['message'])
        self.client.wait_for_stack(path, ['CREATE_COMPLETE'])
        self.client.delete(path)


class AdministratorLockTest(StackLockTestCase):
    def test_member_can_remove_lock_of_other_member(self):
        self.lock(level='stacks')
        self.assert_status(200, self.unlock(self.sandbox.client('bob')))

    def test_administrator_lock_requires_override_rule(self):
        self.assert_status(200, self.lock(self.admin, level='stacks'))
        self.assertIn('actions:unlock_override',
                      self.assert_refused(self.update()))
        for answer in (self.unlock(), self.lock(level='all')):
            self.assert_status(403, answer)
            self.assertIn('administrator', answer.json()['error']['message'])
        stack = self.client.show_stack(self.path)
        self.assertEqual(('stacks', 'ops'),
                         (stack['lock_level'], stack['locked_by']))
        self.assert_status(200, self.unlock(self.admin))


class RejectionTest(StackLockTestCase):
    def setUp(self):
        super().setUp()
        self.assert_status(200, self.action('check'))
        self.client.wait_for_stack(self.path, ['CHECK_COMPLETE'])
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        self.snapshot = self.assert_status(200, answer).json()['id']
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])
        self.assert_status(200, self.lock(level='stacks'))
        self.before = self._state()

    def _state(self):
        stack = self.client.show_stack(self.path)
        resources = self.client.get(self.path + '/resources').json()
        snapshots = self.client.get(self.path + '/snapshots').json()
        return stack, resources, snapshots, self.events()

    def _refused(self, answer):
        self.assert_refused(answer)
        self.assertEqual(self.before, self._state())

    def test_update_is_rejected(self):
        self._refused(self.update())

    def test_patch_is_rejected(self):
        self._refused(self.client.patch(
            self.path, {'parameters': {'value': 'two'}}))

    def test_delete_is_rejected(self):
        self._refused(self.client.delete(self.path))

    def test_abandon_is_rejected(self):
        self._refused(self.client.delete(self.path + '/abandon'))

    def test_other_actions_are_rejected(self):
        for name in ('suspend', 'resume', 'check', 'cancel_update',
                     'cancel_without_rollback'):
            self._refused(self.action(name))

    def test_snapshot_operations_are_rejected(self):
        snapshots = self.path + '/snapshots'
        self._refused(self.client.post(snapshots, {'name': 'two'}))
        self._refused(self.client.delete(f'{snapshots}/{self.snapshot}'))
        self._refused(self.client.post(
            f'{snapshots}/{self.snapshot}/restore'))

    def test_mark_unhealthy_is_rejected(self):
        self._refused(self.client.patch(
            self.path + '/resources/text', {'mark_unhealthy': True}))

    def test_hook_clearing_is_rejected(self):
        self._refused(self.client.post(
            self.path + '/resources/text/signal',
            {'unset_hook': 'pre-update'}))

    def test_read_requests_are_allowed(self):
        for path in ('', '/resources', '/resources/text', '/events',
                     '/template', '/environment', '/files', '/outputs',
                     '/export', '/snapshots',
                     f'/snapshots/{self.snapshot}'):
            self.assert_status(200, self.client.get(self.path + path))
        self.assert_status(200, self.client.put(
            self.path + '/preview', {
                'template': self.template, 'files': self.files,
                'parameters': {'value': 'two'}}))
        self.assertEqual(self.before, self._state())

    def test_requests_are_allowed_after_unlock(self):
        self.assert_status(200, self.unlock())
        self.assert_status(200, self.action('suspend'))
        self.client.wait_for_stack(self.path, ['SUSPEND_COMPLETE'])


class SuspendedTest(StackLockTestCase):
    def test_suspended_stack_remains_suspended(self):
        self.action('suspend')
        self.client.wait_for_stack(self.path, ['SUSPEND_COMPLETE'])
        self.lock(level='stacks')
        stack = self.client.show_stack(self.path)
        self.assertEqual('SUSPEND_COMPLETE', stack['stack_status'])
        self.unlock()
        answer = self.assert_status(400, self.update())
        self.assertIn('suspended', answer.text)
        self.assert_status(200, self.action('resume'))
        self.client.wait_for_stack(self.path, ['RESUME_COMPLETE'])


class NestedTest(StackLockTestCase):
    template = templates.SCALING
    files = templates.FILES

    def setUp(self):
        super().setUp()
        answer = self.client.get(
            self.path + '/resources?nested_depth=3').json()
        self.nested = sorted({
            '/stacks' + link['href'].partition('/stacks')[2]
            for resource in answer['resources']
            for link in resource['links'] if link['rel'] == 'nested'})
        self.assertEqual(2, len(self.nested))

    def _members(self):
        resources = self.client.get(
            self.path + '/resources?nested_depth=3').json()['resources']
        return sorted(resource['physical_resource_id']
                      for resource in resources)

    def _signal(self, policy='scale_up'):
        return self.client.post(f'{self.path}/resources/{policy}/signal', {})

    def test_stack_tree_is_locked_and_unlocked(self):
        self.lock(level='stacks', reason='db move')
        for path in self.nested:
            stack = self.client.show_stack(path)
            self.assertEqual('LOCK_COMPLETE', stack['lock_status'])
            self.assertEqual('stacks', stack['lock_level'])
            self.assertIn('LOCK_COMPLETE', self.events(path)[-1])
        self.unlock()
        for path in self.nested:
            stack = self.client.show_stack(path)
            self.assertIsNone(stack['lock_status'])
            self.assertIsNone(stack['lock_level'])

    def test_requests_for_nested_stack_are_rejected(self):
        self.lock(level='stacks')
        for path in self.nested:
            self.assert_refused(self.update(path=path))
            self.assert_refused(self.client.delete(path))

    def test_lock_actions_require_root_stack(self):
        for path in self.nested:
            for action, fields, remedy in (
                    ('lock', None, 'lock'), ('unlock', None, 'unlock'),
                    ('extend_lock', {'expires_at': None},
                     'extend the lock of'),
                    ('lock_pass', None, 'name'), ('protect', None, 'protect')):
                answer = self.assert_status(400, self.client.post(
                    path + '/actions', {action: fields}))
                self.assertIn(f'Instead, {remedy} the root stack '
                              f'{self.name}',
                              answer.json()['error']['message'])
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])

    def test_scaling_signals_are_ignored_and_counted(self):
        members = self._members()
        self.lock(level='stacks', reason='db move')
        for _ in range(3):
            self.assert_status(200, self._signal())
        ignored = self._wait_for_event('scale_up', 'SIGNAL_COMPLETE')
        self.assertIn('Signal ignored: the stack is locked (level stacks): '
                      'db move', ignored)
        time.sleep(2)
        self.assertEqual(members, self._members())
        lock = self.client.get(self.path + '/guards').json()['guards'][0]
        self.assertIn('db move. 3 signals were ignored while the stack was '
                      f'locked (scale_up of stack {self.name}: 3), the last '
                      'at ', lock['reason'])
        self.unlock()
        self.assertIn('3 signals were ignored while the stack was locked '
                      f'(scale_up of stack {self.name}: 3)',
                      self.events()[-1])
        self.assert_status(200, self._signal())
        self._wait_for_more_than(members)

    def test_wait_condition_handle_receives_signals(self):
        self.lock(level='stacks')
        self.assert_status(200, self.client.post(
            self.path + '/resources/handle/signal',
            {'status': 'SUCCESS', 'id': '1', 'data': 'here'}))
        metadata = waiting.until('metadata', lambda: self.client.get(
            self.path + '/resources/handle/metadata').json()['metadata'])
        self.assertEqual('here', metadata['1']['data'])

    def _wait_for_event(self, name, status):
        def found(events):
            return [event for event in events if event[:2] == (name, status)]

        event, = found(waiting.until(f'event {status} of {name}',
                                     self.events, found))
        return event

    def _wait_for_more_than(self, members):
        waiting.until('the group to grow after unlock', self._members,
                      lambda value: len(value) > len(members))
