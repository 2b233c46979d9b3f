# SPDX-License-Identifier: Apache-2.0

"""The time to lock and unlock many servers, compared with other ways.

HEAT_EXTRAS_CLOUD_SERVERS sets the number of servers (default: 50). Creating
them takes as long as the measurement.
"""

from concurrent import futures
import os
import time

from tests.cloud import protection
from tests.cloud import templates

COUNT = int(os.environ.get('HEAT_EXTRAS_CLOUD_SERVERS', 50))
_PATIENCE = 3600
# [heat_extras] lock_concurrency, by default.
_AT_A_TIME = 16


class ScaleTest(protection.ProtectionTestCase):
    def test_time_of_lock_compared_with_suspend(self):
        path = self.create_stack(templates.servers(COUNT), wait=False)
        self.alice.wait_for_stack(path, ['CREATE_COMPLETE'], _PATIENCE)
        taken = {name: self.timed(path, name) for name in (
            'lock', 'unlock', 'suspend', 'resume')}
        self.show(taken)
        self.assertEqual(set(), self.locked_servers())

    def show(self, taken):
        print(f'{COUNT} servers: ' + ', '.join(
            f'{name} {seconds:.1f} s' for name, seconds in taken.items()),
            flush=True)

    def test_time_of_lock_compared_with_requests_to_nova(self):
        path = self.create_stack(templates.servers(COUNT), wait=False)
        self.alice.wait_for_stack(path, ['CREATE_COMPLETE'], _PATIENCE)
        self.server_ids = [
            each['physical_resource_id'] for each in self.alice.get(
                f'{path}/resources?nested_depth=1').json()['resources']
            if each['resource_type'] == 'OS::Nova::Server']
        self.assertEqual(COUNT, len(self.server_ids))
        for _ in range(2):
            taken = {name: self.timed(path, name)
                     for name in ('lock', 'unlock')}
            taken.update((f'bare {name}', self.bare(name))
                         for name in ('lock', 'unlock'))
            taken['the calls of lock'] = self.bare('lock', self.looks)
            taken['the calls of unlock'] = self.bare('unlock', self.looks)
            self.show(taken)
        self.assertEqual(set(), self.locked_servers())

    def bare(self, name, before=lambda server_id: None):
        """Send requests to Nova, as many at a time as heat-extras does."""
        def send(server_id):
            before(server_id)
            return self.server_action(server_id, name)
        begin = time.monotonic()
        with futures.ThreadPoolExecutor(_AT_A_TIME) as pool:
            answers = set(pool.map(send, self.server_ids))
        taken = time.monotonic() - begin
        self.assertEqual({202}, answers)
        self.assertEqual(COUNT if name == 'lock' else 0,
                         len(self.locked_servers()))
        return taken

    def looks(self, server_id):
        """Send the requests by which heat-extras finds the user of a lock."""
        self.server(server_id)
        self.alice.call('compute', 'GET',
                        f'/servers/{server_id}/os-instance-actions', '2.73')

    def timed(self, path, name):
        """Run an action and wait; returns the duration in seconds."""
        begin = time.monotonic()
        if name == 'lock':
            self.lock(path)
        elif name == 'unlock':
            self.assertEqual(COUNT, len(self.locked_servers()))
            begin = time.monotonic()
            self.unlock(path)
        else:
            self.assert_status(200, self.act(path, name))
            self.alice.wait_for_stack(path, [f'{name.upper()}_COMPLETE'],
                                      _PATIENCE)
        return time.monotonic() - begin
