# SPDX-License-Identifier: Apache-2.0

"""The URL of guards, among those of Heat's API."""

from heat.api.openstack.v1 import stacks
from heat.common import wsgi

from heat_extras.guards import controller

_STACK = '/{tenant_id}/stacks/{stack_name}'
_URL = _STACK + '/{stack_id}/guards'
_OTHERS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']


def connect(routes, conf):
    """Add the URL of guards to the routes of the API."""
    routes.connect('stack_guards', _URL, action='guards',
                   controller=controller.create_resource(conf),
                   conditions={'method': 'GET'})
    # Other methods are answered as those of Heat's own URLs are.
    default = wsgi.Resource(wsgi.DefaultMethodController(),
                            wsgi.JSONRequestDeserializer())
    for action, methods in (('reject', _OTHERS), ('options', 'OPTIONS')):
        routes.connect(_URL, controller=default, action=action,
                       allowed_methods='GET',
                       conditions={'method': methods})
    # A bare name leads to the full identity, for the other paths below a
    # stack do so. First, because stack_show would take guards for an ID.
    routes.connect('stack_lookup_guards', _STACK + '/{path:guards}',
                   controller=stacks.create_resource(conf),
                   action='lookup', conditions={'method': 'GET'})
    routes.matchlist.insert(0, routes.matchlist.pop())
