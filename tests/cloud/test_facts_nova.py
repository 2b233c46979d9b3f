# SPDX-License-Identifier: Apache-2.0

"""Behavior of Nova's server locks, on which the handler relies."""

from tests.cloud import base
from tests.harness.cloud import cloud
from tests.harness.cloud import nova

# The last microversion without a lock reason, and the first with it.
_BEFORE, _REASON = '2.72', '2.73'


class NovaFactsTest(base.CloudTestCase):
    def setUp(self):
        super().setUp()
        compute = self.alice.connection.compute
        self.flavor_id = compute.find_flavor(nova.FLAVOR).id
        self.server = compute.create_server(
            name='fact', networks='none', flavor_id=self.flavor_id,
            image_id=self.alice.connection.image.find_image(cloud.IMAGE).id)
        self.addCleanup(self._remove_server)
        self.wait_for_status('ACTIVE')

    def _remove_server(self):
        self.send('unlock', client='root')
        self.call('DELETE', client='root')

    def call(self, method, path='', version=_REASON, client='alice', **body):
        return self.client(client).call(
            'compute', method, f'/servers/{self.server.id}{path}', version,
            **body)

    def send(self, action, fields=None, client='alice', version=_REASON):
        """Send an action; returns the status of the response."""
        return self.call('POST', '/action', version, client,
                         json={action: fields}).status_code

    def show(self, version=_REASON, client='alice'):
        return self.call('GET', '', version, client).json()['server']

    def lock(self, reason, client='alice', version=_REASON):
        return self.send('lock', {'locked_reason': reason}, client, version)

    def reason(self):
        """Return the reason of the lock, or False without a lock."""
        shown = self.show()
        return shown['locked'] and shown['locked_reason']

    def wait_for_status(self, status):
        self.wait_for(
            f'{self.server.id} to be {status}',
            lambda: (self.show()['status'],
                     self.show(client='root')['OS-EXT-STS:task_state']),
            lambda value: value == (status, None))

    def test_lock_is_shown_since_2_9_and_reason_since_2_73(self):
        self.assertEqual(202, self.lock('db move'))
        self.assertNotIn('locked', self.show('2.8'))
        self.assertIs(True, self.show('2.9')['locked'])
        self.assertNotIn('locked_reason', self.show(_BEFORE))
        self.assertEqual('db move', self.show(client='eve')['locked_reason'])

    def test_reason_is_rejected_if_invalid_and_ignored_before_2_73(self):
        self.assertEqual(400, self.lock(''))
        self.assertEqual(400, self.lock('x' * 256))
        self.assertEqual(202, self.lock('lost', version=_BEFORE))
        self.assertIsNone(self.reason())

    def test_second_lock_by_project_is_accepted_and_ignored(self):
        self.lock('first')
        for client in ('alice', 'bob', 'ops'):
            self.assertEqual(202, self.lock('second', client))
        self.assertEqual('first', self.reason())

    def test_last_lock_action_has_user_id(self):
        self.lock('db move', 'bob')
        actions = self.call('GET', '/os-instance-actions', client='eve')
        user_id = next(action['user_id'] for action
                       in actions.json()['instanceActions']
                       if action['action'] == 'lock')
        self.assertEqual(
            self.client('bob').connection.current_user_id, user_id)

    def test_locked_server_allows_member_only_rename_and_snapshot(self):
        self.lock('db move')
        for action in ('os-stop', 'pause', 'suspend', 'shelve', 'rescue'):
            self.assertEqual(409, self.send(action), action)
        self.assertEqual(409, self.send('resize', {
            'flavorRef': self.flavor_id}))
        self.assertEqual(409, self.call('DELETE').status_code)
        self.assertEqual(409, self.call(
            'POST', '/metadata', json={'metadata': {'a': 'b'}}).status_code)
        self.assertEqual(200, self.call(
            'PUT', json={'server': {'name': 'renamed'}}).status_code)
        self.assertEqual(202, self.send('createImage', {'name': 'snapshot'}))
        self.assertEqual(202, self.send('reboot', {'type': 'SOFT'}, 'ops'))

    def test_only_members_of_project_unlock_server(self):
        self.lock('db move')
        self.assertEqual(403, self.send('unlock', client='eve'))
        self.assertEqual(404, self.send('unlock', client='mallory'))
        self.assertEqual(202, self.send('unlock', client='bob'))
        self.assertEqual(202, self.send('unlock'), 'no lock is no failure')

    def test_owner_unlocks_server_locked_by_admin_of_project(self):
        self.lock('ops', 'ops')
        self.assertEqual(202, self.send('unlock'))

    def test_lock_by_admin_of_other_project_replaces_lock(self):
        self.lock('ours')
        self.assertEqual(202, self.send('lock', client='root'))
        self.assertEqual('ours', self.reason(), 'it looks like ours')
        self.assertEqual(403, self.send('unlock'))
        self.assertEqual(202, self.lock('theirs', 'root'))
        self.assertEqual('theirs', self.reason())
        self.assertEqual(202, self.send('unlock', client='ops'))

    def test_stopped_rescued_or_shelved_server_can_be_locked(self):
        for action, state, back in (('os-stop', 'SHUTOFF', 'os-start'),
                                    ('rescue', 'RESCUE', 'unrescue'),
                                    ('shelve', 'SHELVED', 'unshelve')):
            self.send(action)
            self.wait_for_status(state)
            self.assertEqual(202, self.lock(state))
            self.assertEqual(409, self.send(back))
            self.assertEqual(202, self.send('unlock'))
            self.send(back)
            self.wait_for_status('ACTIVE')

    def test_server_in_error_can_be_locked(self):
        self.send('os-resetState', {'state': 'error'}, 'ops')
        self.assertEqual(202, self.lock('error'))
        self.assertEqual('error', self.reason())
        self.assertEqual(409, self.call('DELETE').status_code)
        self.assertEqual(202, self.send('unlock'))

    def test_locked_servers_are_listed_with_one_request(self):
        self.lock('db move')
        listed = self.alice.call('compute', 'GET',
                                 '/servers/detail?locked=true', _REASON)
        self.assertIn(self.server.id, [
            server['id'] for server in listed.json()['servers']])

    def test_deleted_server_is_not_found(self):
        self.call('DELETE')
        self.wait_for('the server to go', lambda: self.call(
            'GET').status_code, lambda status: status == 404)
        self.assertEqual(404, self.send('lock'))
        self.assertEqual(404, self.send('unlock'))
