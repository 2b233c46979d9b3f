# SPDX-License-Identifier: Apache-2.0

"""What replaces Keystone: its API, its middleware, and Heat's client.

Heat runs what it does on behalf of a stack's owner (signals, updates) with
a context whose roles it fetches from Keystone by a trust
(``heat.common.context.StoredContext``), and asks for the owner's user and
project before it updates or deletes (``Stack._check_refresh_cred``). Here
every password is right and a trust is written out in its own id.
"""

import urllib.parse
from wsgiref import util

from heat.common import context
from heat.engine.clients.os.keystone import fake_keystoneclient
from oslo_serialization import jsonutils
import webob
import webob.dec
import webob.exc

from heat_extras.sandbox import tokens

REGION = 'RegionOne'

_ISSUED = '2000-01-01T00:00:00.000000Z'
_EXPIRES = '2999-01-01T00:00:00.000000Z'
_DOMAIN = {'id': 'default', 'name': 'Default'}

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


def trust_id(token, project):
    """Name a trust so that :func:`read_trust` can read it.

    :param token: the :class:`~heat_extras.sandbox.tokens.Token` of who trusts
    """
    return f'{tokens.write(token)}/{project}'


def read_trust(trust):
    """Read who trusted, with which roles, in which project.

    :returns: a :class:`~heat_extras.sandbox.tokens.Token`, and the project
    :raises heat_extras.sandbox.tokens.BadToken: if it is none of ours
    """
    token, slash, project = trust.rpartition('/')
    if not slash:
        raise tokens.BadToken(
            'Trust %r is not understood: wanted USER:ROLE/PROJECT' % trust)
    return tokens.parse(token), project


def token_body(token, project, base_url):
    """Describe a token, like the answer of Keystone's v3/auth/tokens.

    :param token: a :class:`~heat_extras.sandbox.tokens.Token`
    :param base_url: of the sandbox, for the service catalog
    """
    return {'token': {
        'methods': ['password'],
        'user': {'id': token.user, 'name': token.user, 'domain': _DOMAIN},
        'project': {'id': project, 'name': project, 'domain': _DOMAIN},
        'is_admin_project': token.is_admin_project,
        'roles': [{'id': role, 'name': role} for role in token.roles],
        'catalog': [
            _service('orchestration', '%s/v1/%s' % (base_url, project)),
            _service('identity', base_url + '/identity/v3'),
        ],
        'issued_at': _ISSUED,
        'expires_at': _EXPIRES,
    }}


def _service(service_type, url):
    return {
        'id': service_type, 'type': service_type, 'name': service_type,
        'endpoints': [
            {'id': '%s-%s' % (service_type, interface),
             'interface': interface, 'url': url,
             'region': REGION, 'region_id': REGION}
            for interface in ('public', 'internal', 'admin')],
    }


@webob.dec.wsgify
def application(request):
    """Answer version discovery and requests for a token."""
    if request.method == 'GET':
        return _json(200, {'version': {
            'id': 'v3.14', 'status': 'stable',
            'links': [{'rel': 'self',
                       'href': request.host_url + '/identity/v3'}]}})
    if request.path_info == '/v3/auth/tokens' and request.method == 'POST':
        return _issue(request)
    raise webob.exc.HTTPNotFound(
        'The sandbox offers nothing of Keystone but tokens')


def app_factory(global_conf, **local_conf):
    """Make the application, for paste.deploy."""
    return application


def _issue(request):
    try:
        token, project = _subject(request.json['auth'])
    except (AttributeError, KeyError, TypeError, ValueError,
            tokens.BadToken) as error:
        raise webob.exc.HTTPUnauthorized(
            'The sandbox wants a user name and a password, with a project or '
            'a trust as scope: %s' % error) from error
    answer = _json(
        201, token_body(token, project, request.host_url))
    answer.headers['X-Subject-Token'] = tokens.write(token)
    return answer


def _subject(auth):
    """Find out whom a request for a token is about."""
    scope = auth.get('scope', {})
    if 'OS-TRUST:trust' in scope:
        # Aodh has a trust in an URL, and its '/' is none of the path there.
        return read_trust(urllib.parse.unquote(scope['OS-TRUST:trust']['id']))
    account = auth['identity']['password']['user']
    token = tokens.parse(account.get('name') or account['id'])
    project = scope.get('project', {})
    return token, (
        project.get('name') or project.get('id') or tokens.DEFAULT_PROJECT)


def _json(status, body):
    return webob.Response(
        body=jsonutils.dump_as_bytes(body), status=status,
        content_type='application/json', charset='UTF-8')


class TokenFilter:
    """Turn the token into Keystone's headers, as Keystone's middleware does.

    The description of the token is left behind as well.
    """

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
        environ['keystone.token_info'] = token_body(
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


class KeystoneClient(fake_keystoneclient.FakeKeystoneClient):
    """Heat's fake, with trusts that know who gave them.

    Heat's own makes every trust for the same user without project and
    roles, so that whatever is done in the stack's name belongs to nobody.
    """

    def __init__(self, request_context):
        # Heat gives the context by position, and the fake takes its first
        # argument for a user name.
        super().__init__(context=request_context)

    def create_trust_context(self):
        """Let Heat act for the user of the current request.

        :returns: a context like
                  ``heat_keystoneclient.KsClientWrapper``'s
        """
        trusting = context.RequestContext.from_dict(self.context.to_dict())
        trusting.trust_id = trust_id(
            tokens.Token(self.context.user_id, tuple(self.context.roles),
                         self.context.is_admin_project),
            self.context.project_id)
        trusting.trustor_user_id = self.context.user_id
        return trusting

    def regenerate_trust_context(self):
        """Replace a trust; it is remade from the current request."""
        return self.create_trust_context()
