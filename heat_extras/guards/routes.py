# SPDX-License-Identifier: Apache-2.0

"""The URL of guards, among those of Heat's API."""

from heat.api.openstack.v1 import stacks

from heat_extras.guards import controller
from heat_extras.heat_internals import routes as host_routes

_STACK = '/{tenant_id}/stacks/{stack_name}'


def connect(routes, conf):
    """Add the URL of guards to the routes of the API."""
    host_routes.connect_get(
        routes, 'stack_guards', _STACK + '/{stack_id}/guards',
        host_routes.resource(controller.GuardsController(conf)), 'guards')
    # A bare name leads to the full identity, for the other paths below a
    # stack do so. First, because stack_show would take guards for an ID.
    routes.connect('stack_lookup_guards', _STACK + '/{path:guards}',
                   controller=stacks.create_resource(conf),
                   action='lookup', conditions={'method': 'GET'})
    routes.matchlist.insert(0, routes.matchlist.pop())
