# SPDX-License-Identifier: Apache-2.0

"""The paste filter that reads tokens.

It stands where Keystone's middleware stands in a real cloud, and leaves the
same headers and the same description of the token behind.
"""

from wsgiref import util

from oslo_serialization import jsonutils

from heat_extras.sandbox import identity
from heat_extras.sandbox import tokens

_OF_USER = ('DOMAIN_ID', 'DOMAIN_NAME', 'PROJECT_ID', 'PROJECT_NAME',
            'PROJECT_DOMAIN_ID', 'PROJECT_DOMAIN_NAME', 'USER_ID',
            'USER_NAME', 'USER_DOMAIN_ID', 'USER_DOMAIN_NAME', 'ROLES')
# What keystonemiddleware takes off a request, and nothing else
# (keystonemiddleware.auth_token._request._AuthTokenRequest): X-Auth-User,
# which Heat's context believes, reaches Heat in a real cloud.
_REMOVED = (*(f'HTTP_X_{name}' for name in _OF_USER),
            *(f'HTTP_X_SERVICE_{name}' for name in _OF_USER),
            'HTTP_X_SERVICE_CATALOG', 'HTTP_X_IDENTITY_STATUS',
            'HTTP_X_SERVICE_IDENTITY_STATUS', 'HTTP_X_IS_ADMIN_PROJECT',
            'HTTP_X_ROLE', 'HTTP_X_USER', 'HTTP_X_TENANT_ID',
            'HTTP_X_TENANT_NAME', 'HTTP_X_TENANT')


class TokenFilter:
    """WSGI filter that turns the token into Keystone's identity headers."""

    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        try:
            token = tokens.parse(environ.get('HTTP_X_AUTH_TOKEN', ''))
        except tokens.BadToken as error:
            return _unauthorized(str(error), start_response)
        for name in _REMOVED:
            environ.pop(name, None)
        project = tokens.project_of(environ['PATH_INFO'])
        environ.update(identity_headers(token, project))
        # heat.common.context.RequestContext makes its auth_plugin of it.
        environ['keystone.token_info'] = identity.token_body(
            token, project, util.application_uri(environ).rstrip('/'))
        return self.app(environ, start_response)


def identity_headers(token, project):
    """Write what keystonemiddleware would: user and project id = name.

    :param token: a :class:`~heat_extras.sandbox.tokens.Token`
    """
    return {
        'HTTP_X_IDENTITY_STATUS': 'Confirmed',
        'HTTP_X_AUTH_TOKEN': tokens.write(token),
        'HTTP_X_USER_ID': token.user,
        'HTTP_X_USER_NAME': token.user,
        'HTTP_X_USER_DOMAIN_ID': 'default',
        'HTTP_X_USER_DOMAIN_NAME': 'Default',
        'HTTP_X_PROJECT_ID': project,
        'HTTP_X_PROJECT_NAME': project,
        'HTTP_X_PROJECT_DOMAIN_ID': 'default',
        'HTTP_X_PROJECT_DOMAIN_NAME': 'Default',
        'HTTP_X_IS_ADMIN_PROJECT': str(token.is_admin_project),
        'HTTP_X_ROLES': ','.join(token.roles),
        # Written for every token; this one has none.
        'HTTP_OPENSTACK_SYSTEM_SCOPE': None,
    }


def filter_factory(global_conf, **local_conf):
    """Make the filter, for paste.deploy."""
    return TokenFilter


def _unauthorized(message, start_response):
    """Answer 401 in the form of Heat's own faults."""
    body = jsonutils.dump_as_bytes({
        'code': 401,
        'title': 'Unauthorized',
        'explanation': message,
        'error': {'type': 'Unauthorized', 'message': message,
                  'traceback': None},
    })
    start_response('401 Unauthorized', [
        ('Content-Type', 'application/json'),
        ('Content-Length', str(len(body)))])
    return [body]
