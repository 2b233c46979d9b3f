# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/stacks/{name}/{id}/guards``."""

from heat.api.openstack.v1 import util

from heat_extras.heat_internals import api_controllers

QUERY = ('nested', 'blocking', 'at')


class GuardsController(api_controllers.Controller):
    """WSGI controller for the guards of a stack."""

    # The policy rule is stacks:guards.
    REQUEST_SCOPE = 'stacks'

    @util.registered_identified_stack
    def guards(self, req, identity):
        """List the guards of a stack.

        ``?nested=false`` leaves out the guards of nested stacks.
        ``?blocking=ACTION`` lists only guards that stop this action.
        ``?at=TIME`` lists the guards of this time.
        """
        with api_controllers.value_errors_as_400():
            api_controllers.check_query(req.params, QUERY)
            nested = api_controllers.parse_boolean(
                'nested', req.params.get('nested', 'true'))
        return {'guards': api_controllers.call_or_409(
            self.rpc_client, req.context, 'guards', 'stack_guards',
            stack_identity=identity, nested=nested,
            blocking=req.params.get('blocking'), at=req.params.get('at'))}


def connect(routes, conf):
    """Add the URL of guards to the routes of the API."""
    api_controllers.connect_below_stack(
        routes, 'guards', GuardsController(conf), 'guards')
