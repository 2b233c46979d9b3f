# SPDX-License-Identifier: Apache-2.0

"""Service calls of a lock that end after the lock was superseded."""

import fixtures
from heat.engine import resource as heat_resource

from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import resource_table
from tests.database import base
from tests.unit.stack_lock.resource_locks import fakes
from tests.unit.stack_lock.resource_locks import test_nova


class Server(test_nova.Server):
    """A server whose data is in Heat's database."""

    _data = None
    data = heat_resource.Resource.data
    data_set = heat_resource.Resource.data_set
    data_delete = heat_resource.Resource.data_delete


class Nova(test_nova.Nova, fakes.Plugin):
    """A client that calls a function while it locks a server."""

    def __init__(self, happen):
        super().__init__()
        self.happen = happen

    def lock(self, *arguments, **named):
        self.happen()
        return super().lock(*arguments, **named)


class _TestCase(base.DatabaseTest):

    def protect(self, happen):
        """Lock a stack tree and return its Nova client."""
        root = self.stacks.add_stack()
        nova = Nova(happen)
        stack = fakes.Stack()
        stack.id = root
        server = Server(nova, stack)
        server.id = self.stacks.add_resource(root)
        server.context = self.context
        self.useFixture(fixtures.MockPatchObject(
            lock_resources, 'load_resources',
            return_value=([server], [stack])))
        begun = self.lock(root, level='all')
        self.assertRaises(
            resource_table.Superseded, lock_resources.protect,
            resource_table.Token(self.context, root, begun.operation_id),
            [root], 'all')
        return nova


class LateReplyTest(_TestCase):

    def test_server_is_released_if_stack_was_deleted_during_lock(self):
        # An operator has reset the lock, and the stack was deleted.
        nova = self.protect(self.database.empty)
        self.assertEqual(['lock', 'unlock'],
                         [entry.action for entry in nova.entries])
        self.assertFalse(nova.locked)
