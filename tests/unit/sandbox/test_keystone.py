# SPDX-License-Identifier: Apache-2.0

from heat.common import context
import testtools

from heat_extras.sandbox import identity
from heat_extras.sandbox import keystone
from heat_extras.sandbox import tokens


class KeystoneClientTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.client = keystone.KeystoneClient(context.RequestContext(
            user_id='alice', project_id='blue', roles=['member', 'reader'],
            is_admin=False))

    def test_trust_tells_who_gave_it(self):
        trusting = self.client.create_trust_context()
        self.assertEqual('alice', trusting.trustor_user_id)
        self.assertEqual(
            (tokens.Token('alice', ('member', 'reader')), 'blue'),
            identity.read_trust(trusting.trust_id))

    def test_trust_is_no_way_into_the_admin_project(self):
        self.client.context.is_admin_project = False
        trust = self.client.create_trust_context().trust_id
        self.assertFalse(identity.read_trust(trust)[0].is_admin_project)

    def test_new_trust_is_that_of_the_current_user(self):
        self.assertEqual(self.client.create_trust_context().trust_id,
                         self.client.regenerate_trust_context().trust_id)
