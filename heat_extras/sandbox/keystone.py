# SPDX-License-Identifier: Apache-2.0

"""What Heat uses in place of its Keystone client (``keystone_backend``)."""

from heat.common import context
from heat.engine.clients.os.keystone import fake_keystoneclient

from heat_extras.sandbox import identity
from heat_extras.sandbox import tokens


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
            tokens.Token(self.context.user_id, tuple(self.context.roles),
                         self.context.is_admin_project),
            self.context.project_id)
        trusting.trustor_user_id = self.context.user_id
        return trusting

    def regenerate_trust_context(self):
        """Replace a trust; it is remade from the current request."""
        return self.create_trust_context()
