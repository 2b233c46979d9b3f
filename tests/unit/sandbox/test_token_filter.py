# SPDX-License-Identifier: Apache-2.0

import json
from wsgiref import util

from keystoneauth1 import access
from keystonemiddleware.auth_token import _request
from oslo_context import context
import testtools

from heat_extras.sandbox import token_filter

_LIE = 'a lie of the caller'
# What is read first, by oslo.context and by heat.common.context; other names
# for the same are read where these are not there.
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
        body = b''.join(token_filter.filter_factory({})(application)(
            environ, lambda status, headers: statuses.append(status)))
        return statuses, seen, body

    def test_application_sees_user_roles_and_project(self):
        statuses, (environ,), _body = self._ask(
            '/v1/blue/stacks', HTTP_X_AUTH_TOKEN='ops:admin')
        self.assertEqual(['200 OK'], statuses)
        self.assertEqual('ops', environ['HTTP_X_USER_NAME'])
        self.assertEqual('blue', environ['HTTP_X_PROJECT_ID'])
        self.assertEqual('admin,manager,member,reader',
                         environ['HTTP_X_ROLES'])

    def test_token_description_agrees_with_the_headers(self):
        _statuses, (environ,), _body = self._ask(
            HTTP_X_AUTH_TOKEN='alice:member')
        token = environ['keystone.token_info']['token']
        self.assertEqual('alice', token['user']['id'])
        self.assertEqual('demo', token['project']['id'])
        self.assertEqual(['member', 'reader'],
                         [role['name'] for role in token['roles']])

    def test_claims_of_the_caller_are_dropped(self):
        _statuses, (environ,), _body = self._ask(
            HTTP_X_AUTH_TOKEN='eve:reader', HTTP_X_ROLES='admin',
            HTTP_X_USER_ID='root', HTTP_OPENSTACK_SYSTEM_SCOPE='all')
        self.assertEqual('reader', environ['HTTP_X_ROLES'])
        self.assertEqual('eve', environ['HTTP_X_USER_ID'])
        self.assertIsNone(environ['HTTP_OPENSTACK_SYSTEM_SCOPE'])

    def test_headers_are_dropped_that_keystonemiddleware_drops(self):
        _statuses, (environ,), _body = self._ask(**_FORGED, **_TOKEN)
        theirs = self._theirs(environ['keystone.token_info'])
        self.assertEqual(
            {name for name in theirs if theirs[name] == _LIE},
            {name for name in environ if environ[name] == _LIE})

    def test_headers_that_oslo_context_reads_are_keystonemiddlewares(self):
        _statuses, (environ,), _body = self._ask(**_FORGED, **_TOKEN)
        theirs = self._theirs(environ['keystone.token_info'])
        for name in _READ:
            self.assertEqual(theirs.get(name), environ.get(name), name)

    def _theirs(self, token_info):
        """Return what keystonemiddleware makes of the same request."""
        request = _request._AuthTokenRequest.blank('/v1/demo/stacks')
        request.environ.update(_FORGED)
        request.remove_auth_headers()
        request.user_token_valid = True
        request.set_user_headers(access.create(body=token_info))
        return request.environ

    def test_bad_token_gets_401_in_heats_form(self):
        statuses, seen, body = self._ask(HTTP_X_AUTH_TOKEN=':')
        self.assertEqual((['401 Unauthorized'], []), (statuses, seen))
        fault = json.loads(body)
        self.assertEqual(401, fault['code'])
        self.assertIn('alice:member', fault['error']['message'])
