# SPDX-License-Identifier: Apache-2.0

"""Horizon with a fake Heat."""

import html
import re

from django import urls
from openstack_dashboard.test import helpers
import requests
import requests_mock

PROJECT = '1'
HEAT = f'http://heat.example/v1/{PROJECT}'
WEB = 'web/5c0e41d0'
REFUSED = ('Stack web (5c0e41d0) is locked by alice since '
           '2026-11-20T10:02:11Z: db move. To unlock the stack: openstack '
           'stack unlock web. Required policy: actions:unlock.')

INDEX = urls.reverse_lazy('horizon:project:protection:index')
STACKS = urls.reverse_lazy('horizon:project:stacks:index')


def stack(name='web', stack_id='5c0e41d0', **more):
    """Return the body of a stack."""
    return {'id': stack_id, 'stack_name': name, 'parent': None,
            'stack_status': 'CREATE_COMPLETE', 'stack_status_reason': '',
            'creation_time': '2026-11-20T10:00:00Z', 'updated_time': None,
            'description': '', 'links': [], 'lock_level': None,
            'lock_id': None, 'lock_reason': None, 'locked_by': None,
            'locked_at': None, 'lock_expires_at': None, 'lock_pass': None,
            'delete_protected': False, 'delete_protection_reason': None,
            'delete_protected_by': None, 'delete_protected_at': None, **more}


def locked(name='web', stack_id='5c0e41d0', **more):
    """Return the body of a locked stack."""
    return stack(name, stack_id, **{
        'stack_status': 'LOCK_COMPLETE', 'lock_level': 'stacks',
        'lock_id': 'l0c4', 'lock_reason': 'db move', 'locked_by': 'alice',
        'locked_at': '2026-11-20T10:02:11Z', **more})


def lock(name='web', stack_id='5c0e41d0', **more):
    """Return the body of a lock."""
    return {'id': 'l0c4', 'stack_id': stack_id, 'stack_name': name,
            'project': PROJECT, 'level': 'stacks', 'status': 'LOCK_COMPLETE',
            'reason': 'db move', 'locked_by': 'alice',
            'locked_at': '2026-11-20T10:02:11Z', 'expires_at': None,
            'pass': None, **more}


def fault(code, message):
    """Return the arguments of requests_mock for an error of Heat."""
    return {'status_code': code, 'json': {
        'code': code, 'error': {'type': 'StackLocked', 'message': message}}}


class HeatTestCase(helpers.TestCase):
    """The user has the role member, unless a class sets another one."""

    role = 'member'

    def setUp(self):
        super().setUp()
        self.setActiveUser(
            id='1', token=self.token, username='alice', tenant_id=PROJECT,
            domain_id='default', user_domain_name='Default',
            service_catalog=self.catalog(),
            roles=[{'id': each, 'name': each} for each in self.roles_of()],
            authorized_tenants=self.tenants.list())
        self.heat = requests_mock.Mocker()
        self.heat.start()
        self.addCleanup(self.heat.stop)

    def roles_of(self):
        order = ('reader', 'member', 'admin')
        return order[:order.index(self.role) + 1]

    def catalog(self):
        return [{'type': kind, 'name': name, 'endpoints': [
            {'interface': interface, 'region': 'RegionOne', 'url': url}
            for interface in ('public', 'internal', 'admin')]}
            for kind, name, url in (
                ('orchestration', 'heat', HEAT),
                ('identity', 'keystone', 'http://keystone.example/v3'))]

    def answer(self, method, path, json=None, status_code=200):
        """Set Heat's answer to a request with any query."""
        return self.heat.register_uri(
            method, HEAT + path, json=json, status_code=status_code,
            headers={'content-type': 'application/json'})

    def break_off(self, method, path):
        """Let a request fail without an answer."""
        return self.heat.register_uri(
            method, HEAT + path, exc=requests.exceptions.ConnectionError)

    def answer_stacks(self, *stacks):
        """Set Heat's list of stacks, with an empty second page."""
        return self.heat.register_uri(
            'GET', HEAT + '/stacks',
            headers={'content-type': 'application/json'},
            json=lambda request, context: {
                'stacks': [] if 'marker' in request.qs else stacks})

    def requests(self):
        """List the requests to Heat: method, path and body."""
        return [(each.method, each.path.removeprefix(f'/v1/{PROJECT}'),
                 each.json() if each.body else None)
                for each in self.heat.request_history]

    def press(self, url, action, *rows):
        """Load a page, and press a button of its table."""
        shown = re.findall('name="shown" value="([^"]*)"',
                           self.get(url).content.decode())
        return self.client.post(url, {
            'action': action, 'object_ids': rows, 'shown': shown})

    def get(self, url, **query):
        answer = self.client.get(url, query)
        self.assertEqual(200, answer.status_code)
        return answer

    def text(self, answer):
        """Return the text of a page in one line."""
        page = re.sub('(?s)<(script|style|head).*?</\\1>|<[^>]*>', ' ',
                      answer.content.decode())
        return ' '.join(html.unescape(page).split())

    def messages(self, answer):
        """Return the messages of the page to which Horizon redirects."""
        return [str(each) for each in
                self.client.get(answer.url).context['messages']]
