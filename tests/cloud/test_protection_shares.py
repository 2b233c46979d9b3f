# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` on Manila's shares."""

from tests.cloud import protection
from tests.cloud import templates


class ShareTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.create_stack(templates.stack(share=templates.SHARE))
        self.share = self.physical_id(self.path, 'share')

    def call(self, method, path, client=None, **more):
        return (client or self.alice).call('sharev2', method, path, '2.81',
                                           **more)

    def locks(self):
        return self.call('GET', '/resource-locks?resource_id='
                         + self.share).json()['resource_locks']

    def test_locked_share_cannot_be_deleted(self):
        self.lock(self.path)
        self.assertEqual('protected', self.protection(self.path, 'share'))
        for client in (self.alice, self.client('ops')):
            self.assertEqual(403, self.call(
                'DELETE', f'/shares/{self.share}', client).status_code)
        lock, = self.locks()
        self.assertIn('db move', lock['lock_reason'])
        self.unlock(self.path)
        self.assertEqual([], self.locks())

    def test_other_member_can_unlock(self):
        self.lock(self.path)
        self.unlock(self.path, self.client('bob'))
        self.assertEqual([], self.locks())

    def test_owner_can_unlock_stack_locked_by_other_member(self):
        self.lock(self.path, self.client('bob'))
        self.unlock(self.path)
        self.assertEqual([], self.locks())

    def test_administrator_lock_sets_admin_lock_on_share(self):
        ops = self.client('ops')
        self.lock(self.path, ops)
        lock, = self.locks()
        self.assertEqual('admin', lock['lock_context'])
        self.unlock(self.path, ops)
        self.assertEqual([], self.locks())

    def test_unlock_keeps_other_locks_of_share(self):
        self.lock(self.path)
        other_lock = self.call('POST', '/resource-locks', json={
            'resource_lock': {'resource_id': self.share,
                              'resource_type': 'share',
                              'resource_action': 'delete'}}).json()[
                                  'resource_lock']['id']
        self.unlock(self.path)
        self.assertEqual([other_lock], [lock['id'] for lock in self.locks()])
        self.lock(self.path)
        self.assertEqual('found_protected',
                         self.protection(self.path, 'share'))
        self.unlock(self.path)
        self.assertEqual([other_lock], [lock['id'] for lock in self.locks()])
        self.call('DELETE', f'/resource-locks/{other_lock}')
