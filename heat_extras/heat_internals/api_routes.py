# SPDX-License-Identifier: Apache-2.0

"""URLs of ours among those of Heat's API."""

from heat.common import serializers
from heat.common import wsgi

_OTHERS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']


def connect_get(routes, name, url, controller, action):
    """Add a URL that is only read.

    :param controller: a WSGI resource.
    """
    routes.connect(name, url, action=action, controller=controller,
                   conditions={'method': 'GET'})
    # Other methods are answered as those of Heat's own URLs are.
    default = wsgi.Resource(wsgi.DefaultMethodController(),
                            wsgi.JSONRequestDeserializer())
    for other, methods in (('reject', _OTHERS), ('options', 'OPTIONS')):
        routes.connect(url, controller=default, action=other,
                       allowed_methods='GET',
                       conditions={'method': methods})


def resource(controller):
    """Make the WSGI resource of a controller, as Heat's own ones do."""
    return wsgi.Resource(controller, wsgi.JSONRequestDeserializer(),
                         serializers.JSONResponseSerializer())
