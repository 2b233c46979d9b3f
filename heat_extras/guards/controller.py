# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/stacks/{name}/{id}/guards``."""

from heat.api.openstack.v1 import stacks
from heat.api.openstack.v1 import util
from heat.rpc import client as rpc_client
from webob import exc

from heat_extras.heat_internals import api_controllers
from heat_extras import sanitize

QUERY = ('nested', 'blocking', 'at')

_STACK = '/{tenant_id}/stacks/{stack_name}'
_BOOLEANS = {'true': True, 'false': False}


class GuardsController:
    """WSGI controller for the guards of a stack."""

    # The policy rule is stacks:guards.
    REQUEST_SCOPE = 'stacks'

    def __init__(self, options):
        self.options = options
        self.rpc_client = rpc_client.EngineClient()

    def default(self, req, **args):
        raise exc.HTTPNotFound()

    @util.registered_identified_stack
    def guards(self, req, identity):
        """List the guards of a stack.

        ``?nested=false`` leaves out the guards of nested stacks.
        ``?blocking=ACTION`` lists only guards that stop this action.
        ``?at=TIME`` lists the guards of this time.
        """
        unknown = sorted(set(req.params) - set(QUERY))
        if unknown:
            raise exc.HTTPBadRequest(
                'Invalid query: unknown parameter '
                f'{", ".join(map(sanitize.quote, unknown))}. Expected any of '
                f'{", ".join(QUERY)}.')
        return {'guards': api_controllers.call_or_409(
            self.rpc_client, req.context, 'guards', 'stack_guards',
            stack_identity=identity, nested=_is_nested(req.params),
            blocking=req.params.get('blocking'), at=req.params.get('at'))}


def _is_nested(params):
    text = params.get('nested', 'true')
    if text.lower() not in _BOOLEANS:
        raise exc.HTTPBadRequest(
            f'Invalid nested: {text!r} must be true or false.')
    return _BOOLEANS[text.lower()]


def connect(routes, conf):
    """Add the URL of guards to the routes of the API."""
    api_controllers.connect_get(
        routes, 'stack_guards', _STACK + '/{stack_id}/guards',
        GuardsController(conf), 'guards')
    # A path with the name alone redirects to the full identity, like the
    # other paths below a stack. The route is the first, because stack_show
    # would treat "guards" as an ID.
    routes.connect('stack_lookup_guards', _STACK + '/{path:guards}',
                   controller=stacks.create_resource(conf),
                   action='lookup', conditions={'method': 'GET'})
    routes.matchlist.insert(0, routes.matchlist.pop())
