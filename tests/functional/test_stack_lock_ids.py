# SPDX-License-Identifier: Apache-2.0

"""Tests of lock IDs, and of requests for a lock ID."""

from tests.functional import base
from tests.functional import templates
from tests.functional import test_stack_lock_states

UNKNOWN = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e'


class LockIdTest(test_stack_lock_states.StateTestCase):
    name = 'named'
    template = templates.SCALING
    files = templates.FILES

    def lock_id(self, path=None):
        return self.client.show_stack(path or self.path)['lock_id']

    def unlock_as(self, id):
        return self.client.post(self.path + '/actions',
                                {'unlock': {'id': id}})

    def assert_other(self, answer, message):
        self.assert_status(409, answer)
        error = answer.json()['error']
        self.assertEqual('StackLockConflict', error['type'])
        self.assertIn(message, error['message'])

    def test_every_lock_has_own_id(self):
        self.assertIsNone(self.lock_id())
        ids = set()
        for level in 'stacks', 'all', 'stacks':
            answer = self.lock(level=level)
            self.assert_status(200, answer)
            self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
            ids.add(self.lock_id())
            self.assertEqual(self.lock_id(), answer.json()['lock']['id'])
        self.assertEqual(3, len(ids - {None}))
        listed, = self.client.get(
            f'/stacks?name={self.name}').json()['stacks']
        self.assertEqual(self.lock_id(), listed['lock_id'])
        nested = self.client.get('/stacks?show_nested=true').json()['stacks']
        self.assertEqual({self.lock_id()}, {
            stack['lock_id'] for stack in nested
            if stack['stack_name'].startswith(self.name)})
        self.assert_status(200, self.unlock())
        self.assertIsNone(self.lock_id())

    def test_unlock_by_id_removes_only_that_lock(self):
        self.assert_other(self.unlock_as(UNKNOWN), ') is not locked.')
        self.lock(level='stacks', reason='mine')
        lock_id = self.lock_id()
        self.lock(level='stacks', reason="somebody else's")
        before = self.client.show_stack(self.path), self.events()
        self.assert_other(self.unlock_as(lock_id),
                          f'Lock {lock_id} is not in effect on stack '
                          f'{self.name} ')
        self.assert_other(self.unlock_as(lock_id), f'lock {self.lock_id()} (')
        self.assertEqual(before, (self.client.show_stack(self.path),
                                  self.events()))
        self.assert_status(200, self.unlock_as(self.lock_id().upper()))
        self.assertEqual('UNLOCK_COMPLETE', self.lock_status())

    def test_lock_by_id_changes_only_that_lock(self):
        self.assert_other(self.lock(id=UNKNOWN), ') is not locked.')
        self.assert_status(200, self.lock(level='stacks', id=None))
        lock_id = self.lock_id()
        self.assert_other(self.lock(id=None), f'lock {lock_id} (')
        self.assert_other(self.lock(id=None, dry_run=True),
                          f'lock {lock_id} (')
        self.assert_other(self.lock(id=UNKNOWN), f'lock {lock_id} (')
        self.assert_status(200, self.lock(id=lock_id, level='all'))
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        self.assertNotIn(self.lock_id(), (None, lock_id))

    def test_invalid_ids_are_rejected(self):
        for body in ({'lock': {'id': 'x'}}, {'lock': {'id': 5}},
                     {'lock': {'expected': {'id': None}}},
                     {'unlock': {'id': None}}, {'unlock': {'id': ''}},
                     {'unlock': {}}, {'unlock': {'id': UNKNOWN, 'level': 1}}):
            answer = self.client.post(self.path + '/actions', body)
            self.assert_status(400, answer)
            self.assertIn('Invalid', answer.text)

    def test_rejected_delete_keeps_id(self):
        self.lock(level='stacks')
        self.write_lock(status='FAILED')
        lock_id = self.lock_id()
        self.assert_status(200, self.admin.post(
            self.path + '/actions', {'protect': None}))
        self.addCleanup(self.admin.post, self.path + '/actions',
                        {'unprotect': None})
        self.assert_status(409, self.client.delete(self.path))
        self.assertEqual((lock_id, 'LOCK_FAILED'),
                         (self.lock_id(), self.lock_status()))
        self.assert_status(200, self.unlock_as(lock_id))


class LegacyLockIdTest(LockIdTest):
    settings = LockIdTest.settings + base.LEGACY.replace('[DEFAULT]\n', '')
