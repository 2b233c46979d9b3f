# SPDX-License-Identifier: Apache-2.0

"""Base of the tests of level ``all``."""

from tests.cloud import base


class ProtectionTestCase(base.CloudTestCase):
    def lock(self, path, client=None, status='LOCK_COMPLETE', **fields):
        """Lock a stack and wait; returns its body."""
        self.assert_status(200, self.act(
            path, 'lock', {'level': 'all', 'reason': 'db move', **fields},
            client))
        return self.settled(path, status)

    def unlock(self, path, client=None, status='UNLOCK_COMPLETE'):
        """Unlock a stack and wait; returns its body."""
        self.assert_status(200, self.act(path, 'unlock', client=client))
        return self.settled(path, status)

    def settled(self, path, status):
        """Wait until a lock or unlock has ended, as expected."""
        return self.alice.wait_for_lock(path, status)

    def resources(self, path, depth=5):
        """Return the bodies of a tree's resources by name."""
        listed = self.alice.get(
            f'{path}/resources?nested_depth={depth}').json()['resources']
        return {each['resource_name']: each for each in listed}

    def resource(self, path, name):
        return self.alice.get(
            f'{path}/resources/{name}').json()['resource']

    def physical_id(self, path, name):
        return self.resource(path, name)['physical_resource_id']

    def protection(self, path, name):
        return self.resource(path, name)['lock_protection']

    def last_reason(self, path):
        """Return the reason of the newest event of the stack itself."""
        events = self.alice.get(
            path + '/events?sort_dir=desc').json()['events']
        name = path.split('/')[2]
        return next(event['resource_status_reason'] for event in events
                    if event['resource_name'] == name)

    def server(self, server_id, client=None):
        """Return a server as Nova shows it."""
        return (client or self.alice).call(
            'compute', 'GET', f'/servers/{server_id}',
            '2.73').json()['server']

    def server_action(self, server_id, name, fields=None, client=None):
        """Send an action to Nova; returns the status of the response."""
        return (client or self.alice).call(
            'compute', 'POST', f'/servers/{server_id}/action', '2.73',
            json={name: fields}).status_code

    def locked_servers(self):
        """Return the ids of all locked servers of the project."""
        return {server['id'] for server in self.alice.call(
            'compute', 'GET', '/servers/detail?locked=true',
            '2.73').json()['servers']}
