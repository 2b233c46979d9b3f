# SPDX-License-Identifier: Apache-2.0

import json
from wsgiref import util

import testtools

from heat_extras.sandbox import token_filter


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
            HTTP_X_AUTH_USER='root', HTTP_X_AUTH_KEY='secret',
            HTTP_X_USER_ID='root', HTTP_OPENSTACK_SYSTEM_SCOPE='all')
        self.assertEqual('reader', environ['HTTP_X_ROLES'])
        self.assertEqual('eve', environ['HTTP_X_USER_ID'])
        for name in ('HTTP_X_AUTH_USER', 'HTTP_X_AUTH_KEY',
                     'HTTP_OPENSTACK_SYSTEM_SCOPE'):
            self.assertNotIn(name, environ)

    def test_bad_token_gets_401_in_heats_form(self):
        statuses, seen, body = self._ask(HTTP_X_AUTH_TOKEN=':')
        self.assertEqual((['401 Unauthorized'], []), (statuses, seen))
        fault = json.loads(body)
        self.assertEqual(401, fault['code'])
        self.assertIn('alice:member', fault['error']['message'])
