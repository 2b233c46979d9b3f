# SPDX-License-Identifier: Apache-2.0

"""The paste filter that reads tokens.

It stands where Keystone's middleware stands in a real cloud, and leaves the
same headers and the same description of the token behind.
"""

from wsgiref import util

from oslo_serialization import jsonutils

from heat_extras.sandbox import identity
from heat_extras.sandbox import tokens

# What a caller may not say about itself, neither in headers of its own nor
# by the user and password headers that Heat's context would believe
# (heat.common.context.ContextMiddleware.process_request).
_UNTRUSTED = ('HTTP_X_AUTH_USER', 'HTTP_X_AUTH_KEY', 'HTTP_X_AUTH_EC2_CREDS',
              'HTTP_X_ROLES', 'HTTP_X_USER_ID', 'HTTP_X_USER_NAME',
              'HTTP_X_PROJECT_ID', 'HTTP_X_PROJECT_NAME',
              'HTTP_X_IS_ADMIN_PROJECT', 'HTTP_OPENSTACK_SYSTEM_SCOPE',
              'HTTP_X_SERVICE_ROLES', 'HTTP_X_SERVICE_USER_ID')


class TokenFilter:
    """WSGI filter that turns the token into Keystone's identity headers."""

    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        try:
            user, roles = tokens.parse(
                environ.get('HTTP_X_AUTH_TOKEN', ''))
        except tokens.BadToken as error:
            return _unauthorized(str(error), start_response)
        for name in _UNTRUSTED:
            environ.pop(name, None)
        project = tokens.project_of(environ['PATH_INFO'])
        environ.update(identity_headers(user, roles, project))
        # heat.common.context.RequestContext makes its auth_plugin of it.
        environ['keystone.token_info'] = identity.token_body(
            user, roles, project, util.application_uri(environ).rstrip('/'))
        return self.app(environ, start_response)


def identity_headers(user, roles, project):
    """Write what keystonemiddleware would: user and project id = name."""
    return {
        'HTTP_X_IDENTITY_STATUS': 'Confirmed',
        'HTTP_X_AUTH_TOKEN': tokens.write(user, roles),
        'HTTP_X_USER_ID': user,
        'HTTP_X_USER_NAME': user,
        'HTTP_X_USER_DOMAIN_ID': 'default',
        'HTTP_X_PROJECT_ID': project,
        'HTTP_X_PROJECT_NAME': project,
        'HTTP_X_PROJECT_DOMAIN_ID': 'default',
        'HTTP_X_IS_ADMIN_PROJECT': 'True',
        'HTTP_X_ROLES': ','.join(roles),
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
