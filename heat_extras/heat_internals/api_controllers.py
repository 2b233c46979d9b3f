# SPDX-License-Identifier: Apache-2.0

"""Add URLs to Heat's API, and call the engine from their controllers."""

import contextlib

from heat.api.openstack.v1 import stacks
from heat.common import serializers
from heat.common import wsgi
from heat.rpc import client as rpc_client
import oslo_messaging
from oslo_messaging.rpc import dispatcher
from webob import exc

from heat_extras import sanitize

_BOOLEANS = {'true': True, 'false': False}
_REJECTED_METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']


class Controller:
    """WSGI controller that calls the engine."""

    def __init__(self, options):
        self.options = options
        self.rpc_client = rpc_client.EngineClient()

    def default(self, req, **args):
        raise exc.HTTPNotFound()


def check_query(params, known=()):
    """Check the names of the parameters of a query.

    :raises ValueError: if any of them is not known.
    """
    unknown = sorted(set(params) - set(known))
    if unknown:
        expected = f'any of {", ".join(known)}' if known else 'no parameter'
        raise ValueError(
            'Invalid query: unknown parameter '
            f'{", ".join(map(sanitize.quote, unknown))}. Expected {expected}.')


def parse_boolean(name, text):
    """Parse the boolean value of a query.

    :raises ValueError: if it is not valid.
    """
    if text.lower() not in _BOOLEANS:
        raise ValueError(f'Invalid {name}: {sanitize.quote(text)} must be '
                         'true or false.')
    return _BOOLEANS[text.lower()]


def connect_get(routes, name, url, controller, action):
    """Add a URL that supports only GET.

    :param controller: has the method *action*.
    """
    resource = wsgi.Resource(controller, wsgi.JSONRequestDeserializer(),
                             serializers.JSONResponseSerializer())
    routes.connect(name, url, action=action, controller=resource,
                   conditions={'method': 'GET'})
    # The response to other methods is the same as for Heat's own URLs.
    default = wsgi.Resource(wsgi.DefaultMethodController(),
                            wsgi.JSONRequestDeserializer())
    for other, methods in (('reject', _REJECTED_METHODS),
                           ('options', 'OPTIONS')):
        routes.connect(url, controller=default, action=other,
                       allowed_methods='GET',
                       conditions={'method': methods})


def connect_below_stack(routes, path, controller, action):
    """Add a path below a stack that supports only GET.

    Below the name or ID alone, the path redirects to the full identity of the
    stack, like Heat's own paths.
    """
    stack = '/{tenant_id}/stacks/{stack_name}/'
    connect_get(routes, f'stack_{path}', f'{stack}{{stack_id}}/{path}',
                controller, action)
    routes.connect(f'stack_lookup_{path}', f'{stack}{{path:{path}}}',
                   controller=stacks.create_resource(controller.options),
                   action='lookup', conditions={'method': 'GET'})
    # The route is the first, because stack_show would treat the path as an
    # ID.
    routes.matchlist.insert(0, routes.matchlist.pop())


@contextlib.contextmanager
def value_errors_as_400():
    """Raise a ValueError again as an HTTP error 400 with the same text."""
    try:
        yield
    except ValueError as error:
        raise exc.HTTPBadRequest(str(error)) from error


def call(client, context, method, **arguments):
    """Call an RPC method that a feature adds to the engine.

    :param client: a heat.rpc.client.EngineClient.
    :raises NoSuchMethod: if the engine does not have the method.
    """
    try:
        return client.call(context, client.make_msg(method, **arguments))
    except oslo_messaging.RemoteError as error:
        if error.exc_type != dispatcher.NoSuchMethod.__name__:
            raise
        raise dispatcher.NoSuchMethod(method) from error


def call_or_409(client, context, feature, method, **arguments):
    """Call an RPC method that a feature adds to the engine.

    :param client: a heat.rpc.client.EngineClient.
    :raises HTTPConflict: if the engine does not have the feature.
    """
    try:
        return call(client, context, method, **arguments)
    except dispatcher.NoSuchMethod as error:
        raise exc.HTTPConflict(
            f'Feature "{feature}" of heat-extras is not enabled on the '
            'heat-engine that received the request. Nothing was changed. Try '
            'again when the operator of this Heat has enabled the feature on '
            'all engines.') from error
