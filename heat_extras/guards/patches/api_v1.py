# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1`: a route for guards."""

from heat.api.openstack.v1 import stacks
from heat.common import wsgi

from heat_extras.guards import controller
from heat_extras import patching

_STACK = '/{tenant_id}/stacks/{stack_name}'
_URL = _STACK + '/{stack_id}/guards'
_OTHERS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']


@patching.extends('heat.api.openstack.v1:API')
class GuardsAPIMixin:
    """Extends heat.api.openstack.v1:API."""

    @patching.wrap('(self, conf, **local_conf)',
                   why='the router makes its routes from literals here; the '
                       'map can be added to until the first request')
    def __init__(self, original, conf, **local_conf):
        original(conf, **local_conf)
        _connect(self.map, conf)


def _connect(routes, conf):
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
