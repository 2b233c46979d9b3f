# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""What Heat uses in place of its Keystone client (``keystone_backend``)."""

from heat.common import context
from heat.engine.clients.os.keystone import fake_keystoneclient

from heat_extras.sandbox import identity


class KeystoneClient(fake_keystoneclient.FakeKeystoneClient):
    """Heat's fake, with trusts that know who gave them.

    Heat's own makes every trust for the same user without project and
    roles, so that whatever is done in the stack's name belongs to nobody.
    """

    def __init__(self, request_context):
        # Heat gives the context by position, and the fake takes its first
        # argument for a user name.
        super().__init__(context=request_context)

    def create_trust_context(self):
        """Let Heat act for the user of the current request.

        :returns: a context like
                  ``heat_keystoneclient.KsClientWrapper``'s
        """
        trusting = context.RequestContext.from_dict(self.context.to_dict())
        trusting.trust_id = identity.trust_id(
            self.context.user_id, self.context.roles,
            self.context.project_id)
        trusting.trustor_user_id = self.context.user_id
        return trusting

    def regenerate_trust_context(self):
        """Replace a trust; it is remade from the current request."""
        return self.create_trust_context()
