# SPDX-License-Identifier: Apache-2.0

"""Requests for each operation of a stack, and the traces of operations."""

from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from tests.harness import request_times


class EveryOperation:
    """For test cases with a stack ``path`` and ``update(value, path)``.

    :ivar snapshot: the ID of the snapshot to restore and delete
    """

    def take_snapshot(self):
        """Take a snapshot. Afterwards, Heat finds no group to scale."""
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        self.snapshot = self.assert_status(200, answer).json()['id']
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])

    def requests(self, path):
        """Return a function that requests the operation, by operation name."""
        snapshots = path + '/snapshots'
        resources = path + '/resources'
        post, delete = self.client.post, self.client.delete

        def act(name):
            return lambda: post(path + '/actions', {name: None})

        def signal(name, details=None):
            return lambda: post(f'{resources}/{name}/signal', details)

        return {
            states.LOCK: lambda: post(path + '/actions', {
                'lock': {'level': 'stacks'}}),
            states.UNLOCK: act('unlock'),
            states.DELETE: lambda: delete(path),
            operations.PROTECT: act('protect'),
            operations.UNPROTECT: act('unprotect'),
            operations.EXTEND_LOCK: lambda: post(path + '/actions', {
                'extend_lock': {'expires_at': None}}),
            operations.LOCK_PASS: lambda: post(path + '/actions', {
                'lock_pass': {'user': {'id': 'bob'}, 'expires_at': (
                    request_times.from_now(minutes=5))}}),
            operations.UPDATE: lambda: self.update('two', path),
            operations.ABANDON: lambda: delete(path + '/abandon'),
            operations.SUSPEND: act('suspend'),
            operations.RESUME: act('resume'),
            operations.CHECK: act('check'),
            operations.CANCEL: act('cancel_update'),
            operations.SNAPSHOT: lambda: post(snapshots,
                                              {'name': 'two'}),
            operations.SNAPSHOT_DELETE: lambda: delete(
                f'{snapshots}/{self.snapshot}'),
            operations.RESTORE: lambda: post(
                f'{snapshots}/{self.snapshot}/restore'),
            operations.MARK_UNHEALTHY: lambda: self.client.patch(
                resources + '/test', {'mark_unhealthy': True}),
            operations.CLEAR_HOOK: signal('test',
                                          {'unset_hook': 'pre-update'}),
            operations.SIGNAL: signal('scale_up'),
            operations.AGENT_SIGNAL: signal('handle', {'id': '1'}),
            operations.EXPORT: lambda: self.client.get(path + '/export'),
            operations.PREVIEW: lambda: self.client.put(
                path + '/preview', {'template': self.template,
                                    'files': self.files}),
            operations.READ: lambda: self.client.get(path)}

    def trace(self):
        """Return the state that each operation changes."""
        listed = self.client.get(
            self.path + '/resources?nested_depth=2').json()['resources']
        return (self.client.show_stack(self.path)['updated_time'],
                self.client.get(self.path + '/snapshots').json(),
                sorted((resource['resource_name'], resource['resource_status'],
                        resource['updated_time']) for resource in listed))
