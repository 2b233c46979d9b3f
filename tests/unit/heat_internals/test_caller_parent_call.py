# SPDX-License-Identifier: Apache-2.0

"""The mark on calls of parent stacks, between two engines."""

import fixtures
from heat.common import context as heat_context
from heat.common import messaging
from heat.common import policy
from heat.engine.resources import stack_resource
from heat.rpc import client as rpc_client
import testtools

from heat_extras.heat_internals import caller
from heat_extras import monkey_patch
from heat_extras.patches import common_messaging
from heat_extras.patches import engine_stack_resource

_DOORS = (common_messaging, engine_stack_resource)


class _Wire:
    """A messaging client that records the context of each message.

    :ivar sent: the serialized contexts, oldest first.
    """

    def __init__(self, serializer):
        self._serializer = serializer
        self.sent = []

    def prepare(self, **options):
        return self

    def call(self, context, method, **arguments):
        self.sent.append(self._serializer.serialize_context(context))

    cast = call


class ParentCallTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        patches = [record for door in _DOORS
                   for record in monkey_patch.module_records(door)]
        monkey_patch.apply(patches)
        self.addCleanup(monkey_patch.undo, patches)
        self.serializer = messaging.RequestContextSerializer(None)
        self.wire = _Wire(self.serializer)
        # The administrator check would read a policy file.
        self.useFixture(fixtures.MockPatchObject(
            policy.Enforcer, 'check_is_admin', return_value=False))
        self.context = heat_context.RequestContext(
            project_id='p', user_id='u', roles=['member'])

    def client(self):
        """Return a client like the client of the API and of most resources."""
        with fixtures.MockPatchObject(messaging, 'get_rpc_client',
                                      return_value=self.wire):
            return rpc_client.EngineClient()

    def client_of_parent(self):
        """Return the client of the resource that owns a nested stack."""
        resource = object.__new__(stack_resource.StackResource)
        resource._rpc_client = self.client()
        return resource.rpc_client()

    def send(self, client):
        client.call(self.context, client.make_msg('stack_check'))
        return self.wire.sent[-1]

    def received(self, client):
        return self.serializer.deserialize_context(self.send(client))

    def test_call_of_parent_stack_is_recognized_by_receiver(self):
        received = self.received(self.client_of_parent())
        self.assertTrue(caller.is_parent_call(received))
        self.assertEqual('p', received.project_id)

    def test_call_of_user_is_not_parent_call(self):
        self.send(self.client_of_parent())
        self.assertFalse(caller.is_parent_call(
            self.received(self.client())))

    def test_calls_caused_by_parent_call_are_not_marked(self):
        self.context = self.received(self.client_of_parent())
        self.assertFalse(caller.is_parent_call(
            self.received(self.client())))

    def test_engine_without_heat_extras_accepts_marked_message(self):
        sent = self.send(self.client_of_parent())
        plain = heat_context.RequestContext.from_dict(sent)
        self.assertEqual('p', plain.project_id)
        self.assertFalse(caller.is_parent_call(plain))

    def test_request_headers_cannot_set_parent_mark(self):
        for name in ('heat_extras_parent_call', 'HEAT_EXTRAS_PARENT_CALL'):
            request = heat_context.RequestContext.from_environ(
                {name: 'True', f'HTTP_X_{name}': 'True',
                 f'HTTP_{name}': 'True'})
            self.assertFalse(caller.is_parent_call(request))
