# SPDX-License-Identifier: Apache-2.0

import urllib.parse

from keystoneauth1 import access
import testtools
import webob

from heat_extras.sandbox import identity
from heat_extras.sandbox import tokens


def _ask(body):
    request = webob.Request.blank('/identity/v3/auth/tokens', method='POST')
    request.script_name, request.path_info = '/identity', '/v3/auth/tokens'
    request.json = body
    return request.get_response(identity.application)


def _password(name, scope):
    return {'auth': {
        'identity': {'methods': ['password'], 'password': {
            'user': {'name': name, 'password': 'any'}}},
        'scope': scope}}


class TokenBodyTest(testtools.TestCase):

    def test_keystoneauth_understands_it(self):
        body = identity.token_body(tokens.Token('alice', ('member',)),
                                   'demo', 'http://127.0.0.1:8004')
        found = access.create(body=body, auth_token='alice:member')
        self.assertEqual(('alice', 'demo', ['member']), (
            found.user_id, found.project_id, found.role_names))
        self.assertEqual(
            'http://127.0.0.1:8004/v1/demo',
            found.service_catalog.url_for(service_type='orchestration'))
        self.assertFalse(found.will_expire_soon())

    def test_it_says_whether_the_project_is_the_admin_project(self):
        for is_one in True, False:
            body = identity.token_body(
                tokens.Token('ops', ('admin',), is_one), 'demo', 'http://x')
            self.assertIs(is_one, access.create(body=body).is_admin_project)


class ApplicationTest(testtools.TestCase):

    def test_discovery_names_version_three(self):
        request = webob.Request.blank('/v3')
        answer = request.get_response(identity.application)
        self.assertEqual('v3.14', answer.json['version']['id'])

    def test_trust_gives_the_token_of_who_trusted(self):
        trust = identity.trust_id(tokens.Token('alice', ('member',)), 'blue')
        answer = _ask(_password('heat', {'OS-TRUST:trust': {'id': trust}}))
        self.assertEqual(201, answer.status_code)
        token = answer.json['token']
        self.assertEqual(('alice', 'blue'), (
            token['user']['id'], token['project']['id']))
        self.assertEqual(tokens.Token('alice', ('member', 'reader')),
                         tokens.parse(answer.headers['X-Subject-Token']))

    def test_a_trust_may_come_out_of_a_url(self):
        # As Aodh takes it from the action of an alarm.
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

    def test_what_it_does_not_understand_gets_401(self):
        for body in ({}, {'auth': {}}, {'auth': []}, [],
                     {'auth': {'identity': []}},
                     _password('heat', {'OS-TRUST:trust': {'id': 'x:'}})):
            self.assertEqual(401, _ask(body).status_code)

    def test_the_rest_of_keystone_is_not_there(self):
        request = webob.Request.blank('/v3/users', method='POST')
        self.assertEqual(
            404, request.get_response(identity.application).status_code)
