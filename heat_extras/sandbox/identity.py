# SPDX-License-Identifier: Apache-2.0

"""As much of Keystone's API as Heat itself calls.

Heat runs what it does on behalf of a stack's owner (signals, updates) with
a context whose roles it fetches from Keystone by a trust
(``heat.common.context.StoredContext``), and asks for the owner's user and
project before it updates or deletes (``Stack._check_refresh_cred``). Here
every password is right and a trust is written out in its own id.
"""

import urllib.parse

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
