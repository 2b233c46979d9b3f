# SPDX-License-Identifier: Apache-2.0

"""Behavior of Manila's resource locks, on which the handler relies."""

from tests.cloud import base

_VERSION, _BEFORE = '2.81', '2.80'


class ManilaFactsTest(base.CloudTestCase):
    def setUp(self):
        super().setUp()
        made = self.call('POST', '/shares', json={'share': {
            'name': 'fact', 'share_proto': 'NFS', 'size': 1}})
        self.share = made.json()['share']['id']
        self.path = f'/shares/{self.share}'
        self.addCleanup(self._remove)
        self.wait_for('the share', lambda: self.call(
            'GET', self.path).json()['share'],
            lambda share: share['status'] == 'available')

    def _remove(self):
        for lock in self.locks():
            self.unlock(lock['id'], 'root')
        self.delete()

    def call(self, method, path, client='alice', version=_VERSION, **more):
        return self.client(client).call('sharev2', method, path, version,
                                        **more)

    def lock(self, client='alice', reason='db move', version=_VERSION):
        """Set a lock; returns the response."""
        return self.call('POST', '/resource-locks', client, version, json={
            'resource_lock': {
                'resource_id': self.share, 'resource_type': 'share',
                'resource_action': 'delete', 'lock_reason': reason}})

    def lock_id(self, *arguments):
        return self.assert_status(
            200, self.lock(*arguments)).json()['resource_lock']['id']

    def unlock(self, lock_id, client='alice'):
        return self.call('DELETE', f'/resource-locks/{lock_id}',
                         client).status_code

    def locks(self, client='alice'):
        return self.call('GET', f'/resource-locks?resource_id={self.share}',
                         client).json()['resource_locks']

    def delete(self, client='alice'):
        return self.call('DELETE', self.path, client).status_code

    def act(self, action, client='alice', fields=None):
        return self.call('POST', f'{self.path}/action', client,
                         json={action: fields}).status_code

    def test_locked_share_cannot_be_deleted_even_by_admin(self):
        self.lock()
        for client in ('alice', 'bob', 'ops', 'root'):
            self.assertEqual(403, self.delete(client), client)
        self.assertEqual(403, self.act('soft_delete'))
        self.assertEqual(403, self.act('unmanage', 'ops'))
        self.assertEqual(400, self.act('force_delete', 'ops'))

    def test_locked_share_can_be_renamed_and_extended(self):
        self.lock()
        self.assertEqual(200, self.call('PUT', self.path, json={
            'share': {'display_name': 'renamed'}}).status_code)
        self.assertEqual(202, self.act('extend', fields={'new_size': 2}))

    def test_share_can_have_several_resource_locks(self):
        first, second = self.lock_id(), self.lock_id()
        self.assertNotEqual(first, second)
        self.assertEqual(204, self.unlock(first))
        self.assertEqual(403, self.delete())
        self.assertEqual(404, self.unlock(first))
        self.assertEqual(204, self.unlock(second))
        self.assertEqual(202, self.delete())

    def test_other_member_sees_lock_but_cannot_remove_it(self):
        lock_id = self.lock_id()
        lock, = self.locks('eve')
        self.assertEqual('db move', lock['lock_reason'])
        self.assertEqual('user', lock['lock_context'])
        self.assertEqual(self.alice.connection.current_user_id,
                         lock['user_id'])
        for client, status in (('bob', 403), ('eve', 403), ('mallory', 404),
                               ('ops', 204)):
            self.assertEqual(status, self.unlock(lock_id, client), client)

    def test_lock_of_admin_cannot_be_removed_by_member(self):
        lock_id = self.lock_id('ops')
        self.assertEqual('admin', self.locks()[0]['lock_context'])
        self.assertEqual(403, self.unlock(lock_id))
        self.assertEqual(204, self.unlock(lock_id, 'root'))

    def test_only_members_set_locks_with_reasons_up_to_1023(self):
        self.assert_status(403, self.lock('eve'))
        self.assert_status(403, self.lock('mallory'))
        self.assert_status(200, self.lock('bob', 'x' * 1023))
        self.assert_status(400, self.lock('bob', 'x' * 1024))

    def test_microversion_2_80_has_no_resource_locks(self):
        self.assert_status(404, self.lock(version=_BEFORE))
