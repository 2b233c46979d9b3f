# SPDX-License-Identifier: Apache-2.0

import json
import urllib.parse
from wsgiref import util

from keystoneauth1 import access
from keystonemiddleware.auth_token import _request
from oslo_context import context
import testtools
import webob

from heat_extras.sandbox import fake_keystone
from heat_extras.sandbox import tokens

_LIE = 'a lie of the caller'
# The names that oslo.context and heat.common.context read first. They read the
# other names of the same headers only if these are missing.
_READ = [headers[0] for headers in context._ENVIRON_HEADERS.values()
         if headers[0].startswith('HTTP_')] + [
    'HTTP_X_ROLES', 'HTTP_X_SERVICE_ROLES', 'HTTP_X_IS_ADMIN_PROJECT']
_READ.remove('HTTP_X_AUTH_TOKEN')
_FORGED = {name: _LIE for name in [
    *(name for headers in context._ENVIRON_HEADERS.values()
      for name in headers),
    *(f'HTTP_{name.upper().replace("-", "_")}' for name
      in _request._AuthTokenRequest.blank('/')._all_auth_headers()),
    'HTTP_X_ROLES', 'HTTP_X_ROLE', 'HTTP_X_SERVICE_ROLES',
    'HTTP_X_IS_ADMIN_PROJECT', 'HTTP_X_AUTH_USER', 'HTTP_X_AUTH_KEY',
    'HTTP_X_AUTH_EC2_CREDS', 'HTTP_X_AUTH_URL', 'HTTP_X_REGION_NAME',
    'HTTP_X_TRUST_ID', 'HTTP_X_AUTH_TRUST_ID']
    if name.startswith('HTTP_') and name != 'HTTP_X_AUTH_TOKEN'}
_TOKEN = {'HTTP_X_AUTH_TOKEN': 'eve:reader:is_admin_project=False'}


def _ask(body):
    request = webob.Request.blank('/identity/v3/auth/tokens', method='POST')
    request.script_name, request.path_info = '/identity', '/v3/auth/tokens'
    request.json = body
    return request.get_response(fake_keystone.application)


def _password(name, scope):
    return {'auth': {
        'identity': {'methods': ['password'], 'password': {
            'user': {'name': name, 'password': 'any'}}},
        'scope': scope}}


class TokenBodyTest(testtools.TestCase):

    def test_token_body_is_valid_for_keystoneauth(self):
        body = fake_keystone.token_body(
            tokens.Token('alice', ('member',)), 'demo',
            'http://127.0.0.1:8004')
        access_info = access.create(body=body, auth_token='alice:member')
        self.assertEqual(('alice', 'demo', [
            'member']), (access_info.user_id, access_info.project_id,
                         access_info.role_names))
        self.assertEqual(
            'http://127.0.0.1:8004/v1/demo',
            access_info.service_catalog.url_for(service_type='orchestration'))
        self.assertFalse(access_info.will_expire_soon())

    def test_token_body_has_is_admin_project(self):
        for is_one in True, False:
            body = fake_keystone.token_body(
                tokens.Token('ops', ('admin',), is_one), 'demo', 'http://x')
            self.assertIs(is_one, access.create(body=body).is_admin_project)


class ApplicationTest(testtools.TestCase):

    def test_trust_scope_returns_token_of_trustor(self):
        trust = fake_keystone.trust_id(
            tokens.Token('alice', ('member',)), 'blue')
        answer = _ask(_password('heat', {'OS-TRUST:trust': {'id': trust}}))
        self.assertEqual(201, answer.status_code)
        token = answer.json['token']
        self.assertEqual(('alice', 'blue'), (
            token['user']['id'], token['project']['id']))
        self.assertEqual(tokens.Token('alice', ('member', 'reader')),
                         tokens.parse_token(answer.headers['X-Subject-Token']))

    def test_url_quoted_trust_id_is_accepted(self):
        # Aodh takes the ID from the URL of an alarm action.
        trust = urllib.parse.quote('alice/blue', safe='')
        answer = _ask(_password('aodh', {'OS-TRUST:trust': {'id': trust}}))
        self.assertEqual(('alice', 'blue'), (
            answer.json['token']['user']['id'],
            answer.json['token']['project']['id']))

    def test_password_gives_a_token_for_the_project(self):
        answer = _ask(_password('ops:admin', {'project': {'name': 'red'}}))
        self.assertEqual('red', answer.json['token']['project']['id'])
        self.assertIn('admin', [role['name'] for role
                                in answer.json['token']['roles']])

    def test_invalid_token_request_gets_401(self):
        for body in ({}, {'auth': {}}, {'auth': []}, [],
                     {'auth': {'identity': []}},
                     _password('heat', {'OS-TRUST:trust': {'id': 'x:'}})):
            self.assertEqual(401, _ask(body).status_code)


class TokenFilterTest(testtools.TestCase):

    def _ask(self, path='/v1/demo/stacks', **headers):
        environ = {'PATH_INFO': path, **headers}
        util.setup_testing_defaults(environ)
        seen = []

        def application(environ, start_response):
            seen.append(environ)
            start_response('200 OK', [])
            return [b'']

        statuses = []
        body = b''.join(fake_keystone.filter_factory({})(application)(
            environ, lambda status, headers: statuses.append(status)))
        return statuses, seen, body

    def test_identity_headers_of_caller_are_removed(self):
        _statuses, (environ,), _body = self._ask(
            HTTP_X_AUTH_TOKEN='eve:reader', HTTP_X_ROLES='admin',
            HTTP_X_USER_ID='root', HTTP_OPENSTACK_SYSTEM_SCOPE='all')
        self.assertEqual('reader', environ['HTTP_X_ROLES'])
        self.assertEqual('eve', environ['HTTP_X_USER_ID'])
        self.assertIsNone(environ['HTTP_OPENSTACK_SYSTEM_SCOPE'])

    def test_same_headers_are_removed_as_by_keystonemiddleware(self):
        _statuses, (environ,), _body = self._ask(**_FORGED, **_TOKEN)
        expected = self._theirs(environ['keystone.token_info'])
        self.assertEqual(
            {name for name in expected if expected[name] == _LIE},
            {name for name in environ if environ[name] == _LIE})

    def test_oslo_context_headers_match_keystonemiddleware(self):
        _statuses, (environ,), _body = self._ask(**_FORGED, **_TOKEN)
        expected = self._theirs(environ['keystone.token_info'])
        for name in _READ:
            self.assertEqual(expected.get(name), environ.get(name), name)

    def _theirs(self, token_info):
        """Return the environ of the same request in keystonemiddleware."""
        request = _request._AuthTokenRequest.blank('/v1/demo/stacks')
        request.environ.update(_FORGED)
        request.remove_auth_headers()
        request.user_token_valid = True
        request.set_user_headers(access.create(body=token_info))
        return request.environ

    def test_invalid_token_gets_401_in_format_of_heat(self):
        statuses, seen, body = self._ask(HTTP_X_AUTH_TOKEN=':')
        self.assertEqual((['401 Unauthorized'], []), (statuses, seen))
        fault = json.loads(body)
        self.assertEqual(401, fault['code'])
        self.assertIn('alice:member', fault['error']['message'])
