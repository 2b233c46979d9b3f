# SPDX-License-Identifier: Apache-2.0

"""The mark on the calls of parents, from the one engine to the other."""

import fixtures
from heat.common import context as heat_context
from heat.common import messaging
from heat.common import policy
import testtools

from heat_extras import patching
from heat_extras.update_policy import parent_call
from heat_extras.update_policy.patches import common_messaging as doors

_TARGET = 'heat.common.messaging:RequestContextSerializer'


class ParentCallTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        patches = patching.records(_TARGET, doors.UpdatePolicySerializerMixin)
        patching.apply(patches)
        self.addCleanup(patching.undo, patches)
        self.serializer = messaging.RequestContextSerializer(None)
        # Whether somebody is an administrator is read from a policy file.
        self.useFixture(fixtures.MockPatchObject(
            policy.Enforcer, 'check_is_admin', return_value=False))
        self.context = heat_context.RequestContext(
            project_id='p', user_id='u', roles=['member'])

    def send(self):
        return self.serializer.serialize_context(self.context)

    def test_a_call_of_a_parent_is_known_where_it_arrives(self):
        with parent_call.making():
            sent = self.send()
        received = self.serializer.deserialize_context(sent)
        self.assertTrue(parent_call.is_one(received))
        self.assertEqual('p', received.project_id)

    def test_a_call_of_a_person_is_none(self):
        with parent_call.making():
            self.send()
        received = self.serializer.deserialize_context(self.send())
        self.assertFalse(parent_call.is_one(received))

    def test_what_it_causes_is_not_marked(self):
        with parent_call.making():
            sent = self.send()
        self.context = self.serializer.deserialize_context(sent)
        received = self.serializer.deserialize_context(self.send())
        self.assertFalse(parent_call.is_one(received))

    def test_an_engine_without_it_takes_the_message(self):
        with parent_call.making():
            sent = self.send()
        plain = heat_context.RequestContext.from_dict(sent)
        self.assertEqual('p', plain.project_id)
        self.assertFalse(parent_call.is_one(plain))

    def test_no_request_can_bring_it(self):
        for name in ('heat_extras_parent_call', 'HEAT_EXTRAS_PARENT_CALL'):
            request = heat_context.RequestContext.from_environ(
                {name: 'True', f'HTTP_X_{name}': 'True',
                 f'HTTP_{name}': 'True'})
            self.assertFalse(parent_call.is_one(request))
