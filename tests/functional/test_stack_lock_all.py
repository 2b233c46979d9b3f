# SPDX-License-Identifier: Apache-2.0

"""Tests of level ``all`` with a remote stack.

OS::Heat::Stack manages its stack through the Heat API of the sandbox.
"""

import json
import time

from tests.functional import test_stack_lock

INNER = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'test': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'},
                                'action_wait_secs': {'update': 10}}}},
}

REMOTE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'remote': {
            'type': 'OS::Heat::Stack',
            'properties': {
                'template': json.dumps(INNER)}},
    },
}


class LevelAllTestCase(test_stack_lock.StackLockTestCase):
    """Test case with methods to lock at level ``all`` and check it."""

    def _resource(self, name):
        return self.client.get(f'{self.path}/resources/{name}').json()[
            'resource']

    def _locked(self, level='all', status='LOCK_COMPLETE'):
        self.assert_status(200, self.lock(level=level, reason='db move'))
        return self._wait(self.path, status)

    def _unlocked(self):
        self.assert_status(200, self.unlock())
        return self._wait(self.path, 'UNLOCK_COMPLETE')

    def _wait(self, path, status):
        return self.client.wait_for_lock(path, status)

    def _protection(self, name='remote'):
        resource = self._resource(name)
        return resource['lock_protection'], resource['resource_status']


class RemoteStackTest(LevelAllTestCase):
    template = REMOTE

    def setUp(self):
        super().setUp()
        resource = self._resource()
        remote = self.client.show_stack(resource['physical_resource_id'])
        self.remote = f'/stacks/{remote["stack_name"]}/{remote["id"]}'

    def _resource(self, name='remote'):
        return super()._resource(name)

    def test_remote_stack_is_locked_and_unlocked(self):
        self._locked()
        self.assertEqual(('protected', 'CREATE_COMPLETE'),
                         self._protection())
        remote = self.client.show_stack(self.remote)
        self.assertEqual(('all', 'db move'), (remote['lock_level'],
                                              remote['lock_reason']))
        self.assert_status(409, self.client.delete(self.remote))
        self._unlocked()
        self.assertIsNone(self.client.show_stack(self.remote)['lock_level'])
        self.assertEqual((None, 'CREATE_COMPLETE'), self._protection())

    def test_level_stacks_does_not_lock_remote_stack(self):
        self._locked('stacks')
        self.assertIsNone(self.client.show_stack(self.remote)['lock_level'])

    def test_level_change_locks_and_unlocks_remote_stack(self):
        self._locked('stacks')
        self._locked('all')
        self.assertEqual('all',
                         self.client.show_stack(self.remote)['lock_level'])
        self._locked('stacks')
        self.assertIsNone(self.client.show_stack(self.remote)['lock_level'])
        self.assert_refused(self.update())

    def test_existing_lock_of_remote_stack_remains(self):
        self.assert_status(200, self.client.post(
            self.remote + '/actions', {'lock': {'level': 'stacks'}}))
        self._locked()
        protection, _ = self._protection()
        self.assertEqual('found_protected', protection)
        self.assertIn('locked by alice',
                      self._resource()['lock_protection_reason'])
        self._unlocked()
        self.assertEqual('stacks',
                         self.client.show_stack(self.remote)['lock_level'])
        self.client.post(self.remote + '/actions', {'unlock': None})

    def test_newer_lock_of_remote_stack_remains(self):
        self._locked()
        for action in ({'unlock': None}, {'lock': {'level': 'stacks'}}):
            self.client.post(self.remote + '/actions', action)
            self._wait(self.remote, next(iter(action)).upper() + '_COMPLETE')
            # Locks are distinguished by their time, in seconds.
            time.sleep(1)
        self._unlocked()
        self.assertEqual('stacks',
                         self.client.show_stack(self.remote)['lock_level'])
        self.client.post(self.remote + '/actions', {'unlock': None})

    def test_early_unlock_of_remote_stack_is_reported(self):
        self._locked()
        self.client.post(self.remote + '/actions', {'unlock': None})
        self._wait(self.remote, 'UNLOCK_COMPLETE')
        self._unlocked()
        self.assertIn('1 resource had been unlocked by another user or '
                      'program: remote', self.events()[-1][2])

    def test_deleted_remote_stack_is_no_failure(self):
        self._locked()
        self.client.post(self.remote + '/actions', {'unlock': None})
        self._wait(self.remote, 'UNLOCK_COMPLETE')
        self.assert_status(204, self.client.delete(self.remote))
        self.client.wait_for_stack(self.remote, ['DELETE_COMPLETE'])
        self._unlocked()
        self._locked()
        self.assertEqual('no_lock_api', self._protection()[0])
        self._unlocked()

    def test_lock_fails_if_resource_cannot_be_protected(self):
        self.assert_status(202, self.client.put(self.remote, {
            'template': INNER, 'parameters': {'value': 'two'}}))
        stack = self._locked(status='LOCK_FAILED')
        self.assertIn('remote of stack', stack['lock_status_reason'])
        self.assertEqual(('failed', 'CREATE_COMPLETE'), self._protection())
        self.assert_refused(self.update())
        self.client.wait_for_stack(self.remote, ['UPDATE_COMPLETE'])
        self._locked()
        self.assertEqual(('protected', 'CREATE_COMPLETE'),
                         self._protection())
        self._unlocked()

    def test_dry_run_shows_planned_protection(self):
        answer = self.lock(level='all', dry_run=True).json()['lock']
        self.assertEqual(
            {'text': 'no_lock_api', 'remote': 'protected'},
            {resource['resource_name']: resource['lock_protection']
             for resource in answer['resources']})
        self.assertIsNone(self.client.show_stack(self.remote)['lock_level'])
