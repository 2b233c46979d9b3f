# SPDX-License-Identifier: Apache-2.0

"""Add URLs of heat-extras to Heat's API."""

from heat.common import serializers
from heat.common import wsgi

_REJECTED_METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']


def connect_get(routes, name, url, controller, action):
    """Add a URL that supports only GET.

    :param controller: a WSGI resource.
    """
    routes.connect(name, url, action=action, controller=controller,
                   conditions={'method': 'GET'})
    # The response to other methods is the same as for Heat's own URLs.
    default = wsgi.Resource(wsgi.DefaultMethodController(),
                            wsgi.JSONRequestDeserializer())
    for other, methods in (('reject', _REJECTED_METHODS),
                           ('options', 'OPTIONS')):
        routes.connect(url, controller=default, action=other,
                       allowed_methods='GET',
                       conditions={'method': methods})


def make_wsgi_resource(controller):
    """Make the WSGI resource of a controller, as Heat does for its own."""
    return wsgi.Resource(controller, wsgi.JSONRequestDeserializer(),
                         serializers.JSONResponseSerializer())
