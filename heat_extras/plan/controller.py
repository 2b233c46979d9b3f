# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/stacks/{name}/{id}/delete_preview``."""

from heat.api.openstack.v1 import util

from heat_extras.heat_internals import api_controllers


class DeletePreviewController(api_controllers.Controller):
    """WSGI controller for the plan of a deletion."""

    # The policy rule is stacks:delete.
    REQUEST_SCOPE = 'stacks'

    @util.registered_identified_stack
    def delete(self, req, identity):
        """Show what the deletion of a stack would do, without a change."""
        with api_controllers.value_errors_as_400():
            api_controllers.check_query(req.params)
        return api_controllers.call_or_409(
            self.rpc_client, req.context, 'plan', 'stack_delete_preview',
            stack_identity=identity)


def connect(routes, conf):
    """Add the URL to the routes of the API."""
    api_controllers.connect_below_stack(
        routes, 'delete_preview', DeletePreviewController(conf), 'delete')
