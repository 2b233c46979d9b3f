# SPDX-License-Identifier: Apache-2.0

"""Replacements for Keystone: its API, its middleware, and Heat's client.

Heat processes signals and updates on behalf of a stack's owner. It gets the
roles of this context from Keystone by a trust
(``heat.common.context.StoredContext``). Before an update or a deletion it
queries the owner's user and project (``Stack._check_refresh_cred``). Here
every password is valid, and the ID of a trust contains its user, roles and
project.
"""

import urllib.parse

from heat.common import context
from heat.engine.clients.os.keystone import fake_keystoneclient
from keystoneauth1 import access
from keystonemiddleware.auth_token import _request
from oslo_serialization import jsonutils
import webob
import webob.dec
import webob.exc

from heat_extras.sandbox import tokens

REGION = 'RegionOne'

_ISSUED = '2000-01-01T00:00:00.000000Z'
_EXPIRES = '2999-01-01T00:00:00.000000Z'
_DOMAIN = {'id': 'default', 'name': 'Default'}


def trust_id(token, project):
    """Return the ID of a trust, for :func:`read_trust`.

    :param token: the :class:`~heat_extras.sandbox.tokens.Token` of the trustor
    """
    return f'{tokens.format_token(token)}/{project}'


def read_trust(trust):
    """Parse the ID of a trust into its trustor with roles, and its project.

    :returns: a :class:`~heat_extras.sandbox.tokens.Token`, and the project
    :raises heat_extras.sandbox.tokens.BadToken: if the ID is not valid
    """
    token, slash, project = trust.rpartition('/')
    if not slash:
        raise tokens.BadToken(
            'Trust %r is not valid: expected USER:ROLE/PROJECT' % trust)
    return tokens.parse_token(token), project


def token_body(token, project, base_url):
    """Return a body like the response of Keystone's v3/auth/tokens.

    :param token: a :class:`~heat_extras.sandbox.tokens.Token`
    :param base_url: the URL of the sandbox, for the service catalog
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
    """Answer version discovery and requests for a token or a user."""
    _, is_user, name = request.path_info.partition('/v3/users/')
    if request.method == 'GET' and is_user:
        # The ID of each user is the name.
        return _json(200, {'user': {'id': name, 'name': name}})
    if request.method == 'GET':
        return _json(200, {'version': {
            'id': 'v3.14', 'status': 'stable',
            'links': [{'rel': 'self',
                       'href': request.host_url + '/identity/v3'}]}})
    if request.path_info == '/v3/auth/tokens' and request.method == 'POST':
        return _issue(request)
    raise webob.exc.HTTPNotFound(
        'The Keystone of the sandbox only issues tokens')


def app_factory(global_conf, **local_conf):
    """Return the application, for paste.deploy."""
    return application


def _issue(request):
    try:
        token, project = _requested(request.json['auth'])
    except (AttributeError, KeyError, TypeError, ValueError,
            tokens.BadToken) as error:
        raise webob.exc.HTTPUnauthorized(
            'Expected a user name and a password, with a project or a trust '
            'as the scope: %s' % error) from error
    answer = _json(
        201, token_body(token, project, request.host_url))
    answer.headers['X-Subject-Token'] = tokens.format_token(token)
    return answer


def _requested(auth):
    """Return the token and the project that are requested."""
    scope = auth.get('scope', {})
    if 'OS-TRUST:trust' in scope:
        # In the URLs of Aodh, the '/' of a trust is quoted.
        return read_trust(urllib.parse.unquote(scope['OS-TRUST:trust']['id']))
    account = auth['identity']['password']['user']
    token = tokens.parse_token(account.get('name') or account['id'])
    project = scope.get('project', {})
    return token, (
        project.get('name') or project.get('id') or tokens.DEFAULT_PROJECT)


def _json(status, body):
    return webob.Response(
        body=jsonutils.dump_as_bytes(body), status=status,
        content_type='application/json', charset='UTF-8')


class TokenFilter:
    """Set the headers of a token, like Keystone's middleware.

    The ID of a user or a project is equal to its name.
    """

    def __init__(self, app):
        self._app = app

    @webob.dec.wsgify(RequestClass=_request._AuthTokenRequest)
    def __call__(self, request):
        """Set the headers, or answer 401 in the form of Heat's own faults."""
        try:
            token = tokens.parse_token(request.headers.get('X-Auth-Token', ''))
        except tokens.BadToken as error:
            return _json(401, {
                'code': 401, 'title': 'Unauthorized',
                'explanation': str(error),
                'error': {'type': 'Unauthorized', 'message': str(error),
                          'traceback': None}})
        project = tokens.project_of_path(request.environ['PATH_INFO'])
        request.remove_auth_headers()
        request.headers['X-Auth-Token'] = tokens.format_token(token)
        # heat.common.context.RequestContext creates its auth_plugin from it.
        request.token_info = token_body(token, project,
                                        request.application_url)
        request.user_token_valid = True
        request.set_user_headers(access.create(body=request.token_info))
        return self._app


def filter_factory(global_conf, **local_conf):
    """Return the filter, for paste.deploy."""
    return TokenFilter


class KeystoneClient(fake_keystoneclient.FakeKeystoneClient):
    """Heat's fake client, but with trusts that have a trustor.

    Heat's own fake client creates every trust for the same user, without a
    project or roles.
    """

    def __init__(self, request_context):
        # Heat passes the context by position, but the first parameter of the
        # fake client is a user name.
        super().__init__(context=request_context)

    def create_trust_context(self):
        """Create a trust of the user of the current request.

        :returns: a context like from ``heat_keystoneclient.KsClientWrapper``
        """
        trusting = context.RequestContext.from_dict(self.context.to_dict())
        trusting.trust_id = trust_id(
            tokens.Token(self.context.user_id, tuple(self.context.roles),
                         self.context.is_admin_project),
            self.context.project_id)
        trusting.trustor_user_id = self.context.user_id
        return trusting

    def regenerate_trust_context(self):
        """Replace a trust by a new trust from the current request."""
        return self.create_trust_context()
