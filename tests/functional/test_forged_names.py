# SPDX-License-Identifier: Apache-2.0

"""Tests that names come from the token, not from headers of requests.

keystonemiddleware does not remove these headers, and Heat reads them.
"""

import json
import os

from tests.functional import base
from tests.functional import freeze_base
from tests.functional import templates
from tests.functional import test_stack_lock

FORGED = {
    # Headers that heat.common.context reads.
    'X-Auth-User': 'root', 'X-Auth-Key': 'secret',
    'X-Auth-EC2-Creds': '{"ec2Credentials": {"access": "root"}}',
    'X-Auth-Url': 'http://127.0.0.1:9/v3', 'X-Region-Name': 'root',
    # Headers that oslo.context reads.
    'X-User': 'root', 'X-User-Id': 'root', 'X-User-Name': 'root',
    'X-Roles': 'admin', 'X-Role': 'admin', 'X-Is-Admin-Project': 'True',
    'X-Project-Id': 'root', 'X-Tenant': 'root', 'X-Tenant-Id': 'root',
    'X-Tenant-Name': 'root', 'X-Project-Name': 'root',
    'X-Domain-Id': 'root', 'X-Domain-Name': 'root',
    'X-User-Domain-Id': 'root', 'X-User-Domain-Name': 'root',
    'X-Project-Domain-Id': 'root', 'X-Project-Domain-Name': 'root',
    'OpenStack-System-Scope': 'all', 'X-Service-Roles': 'admin,service',
    'X-Service-User-Id': 'root', 'X-Service-User-Name': 'root',
    'X-Service-Project-Id': 'root', 'X-Service-Project-Name': 'root',
    'X-Service-Identity-Status': 'Confirmed',
    'X-Identity-Status': 'Confirmed', 'X-Service-Catalog': '[]',
    # Headers that nothing reads, and names like those of heat-extras.
    'X-Trust-Id': 'root', 'X-Auth-Trust-Id': 'root',
    'X-Is-Admin': 'True', 'Is-Admin': 'True',
    'X-Auth-Token-Info': '{"token": {"user": {"name": "root"}}}',
    'keystone.token_info': '{"token": {"user": {"name": "root"}}}',
    'heat-extras-parent-call': 'True', 'heat_extras_parent_call': 'True'}


class Forger(base.Client):
    """A client with headers that claim the user root."""

    def headers(self):
        return {**super().headers(), **FORGED}


NOTIFYING = '[oslo_messaging_notifications]\ndriver = log\n'
NEXT_HOUR = {'expires_at': freeze_base.moment(hours=1)}


class ForgedNamesTest(test_stack_lock.StackLockTestCase):

    settings = NOTIFYING

    def setUp(self):
        super().setUp()
        self.mallory = Forger(self.client.url, 'mallory', 'member')
        self.log_start = os.path.getsize(self.sandbox.log_path)

    def shown(self):
        return self.client.show_stack(self.path)

    def act(self, **body):
        self.assert_status(200, self.mallory.post(
            self.path + '/actions', body))

    def notified(self):
        """Return the names in the notifications of the stack."""
        with open(self.sandbox.log_path) as log:
            log.seek(self.log_start)
            notifications = [
                json.loads(line[line.index('{'):]) for line in log
                if ' oslo.messaging.notification.orchestration' in line]
        payloads = [each['payload'] for each in notifications
                    if each['payload']['stack_identity'] in self.path]
        return {each[key] for each in payloads
                for key in ('user_id', 'username', 'user_identity')}

    def test_lock_records_name_of_token(self):
        self.act(lock={'level': 'stacks'})
        self.assertEqual('mallory', self.shown()['locked_by'])
        text = self.assert_refused(self.update())
        self.assertIn('by mallory', text)
        self.assertNotIn('root', text)
        self.assertEqual(['mallory'], [
            each['locked_by'] for each
            in self.client.get('/locks').json()['locks']
            if each['stack_id'] in self.path])
        self.act(unlock=None)
        self.assertEqual({'mallory'}, self.notified())

    def test_protection_records_name_of_token(self):
        self.act(protect={})
        self.addCleanup(self.act, unprotect=None)
        self.assertEqual('mallory', self.shown()['delete_protected_by'])
        text = self.assert_status(409, self.client.delete(self.path)).text
        self.assertIn('mallory', text)
        self.assertNotIn('root', text)
        self.assertEqual({'mallory'}, self.notified())

    def test_lock_pass_records_name_of_token(self):
        self.lock(level='stacks')
        self.act(lock_pass={'user': {'id': 'bob'}, **NEXT_HOUR})
        self.assertEqual('mallory', self.shown()['lock_pass']['granted_by'])

    def test_lock_pass_of_other_user_is_not_used(self):
        self.lock(level='stacks')
        for user in {'id': 'root'}, {'name': 'root', 'domain': 'root'}:
            self.assert_status(200, self.action(
                'lock_pass', user=user, **NEXT_HOUR))
            self.assert_refused(self.mallory.patch(self.path, {}))
            self.assert_status(200, self.action('lock_pass'))

    def test_mark_unhealthy_records_name_of_token(self):
        resource = self.client.get(
            self.path + '/resources').json()['resources'][0]
        self.assert_status(200, self.mallory.patch(
            f'{self.path}/resources/{resource["resource_name"]}',
            {'mark_unhealthy': True}))
        guard, = (each for each in self.client.get(
            self.path + '/guards').json()['guards']
            if each['kind'] == 'unhealthy')
        self.assertEqual('mallory', guard['set_by'])

    def test_stack_owner_is_name_of_token(self):
        path = self.mallory.create_stack(self.name + '-2', templates.SMALL)
        self.addCleanup(self.client.delete, path)
        self.assertEqual(
            'mallory', self.client.show_stack(path)['stack_owner'])

    def test_adopted_stack_has_name_of_token(self):
        answer = self.assert_status(201, self.mallory.post('/stacks', {
            'stack_name': self.name + '-2', 'timeout_mins': 5,
            'adopt_stack_data': json.dumps({
                'template': {'heat_template_version': '2018-08-31'},
                'resources': {}, 'environment': {}, 'action': 'CREATE',
                'status': 'COMPLETE', 'stack_owner': 'root',
                'username': 'root', 'lock_level': 'stacks',
                'locked_by': 'root', 'lock_rank': 'admin',
                'delete_protected_by': 'root'})}))
        stack_id = answer.json()['stack']['id']
        path = f'/stacks/{self.name}-2/{stack_id}'
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['ADOPT_COMPLETE'])
        shown = self.client.show_stack(path)
        self.assertEqual(('mallory', None, None, None), tuple(
            shown[name] for name in ('stack_owner', 'locked_by',
                                     'lock_level', 'delete_protected_by')))

    def test_forged_headers_do_not_make_administrator(self):
        self.lock(self.admin, level='stacks')
        for body in {'unlock': None}, {'lock': {'level': 'stacks'}}:
            self.assert_status(403, self.mallory.post(
                self.path + '/actions', body))
        self.assert_status(403, self.mallory.get('/locks?all_projects=true'))
        self.assertEqual('ops', self.shown()['locked_by'])

    def test_forged_headers_do_not_make_member(self):
        eve = Forger(self.client.url, 'eve', 'reader')
        for body in {'lock': {'level': 'stacks'}}, {'protect': {}}:
            self.assert_status(403, eve.post(self.path + '/actions', body))

    def test_lock_with_forged_headers_is_member_lock(self):
        self.act(lock={'level': 'stacks'})
        self.assert_status(200, self.unlock())

    def test_forged_headers_do_not_give_other_project(self):
        elsewhere = self.client.url.rpartition('/')[0] + '/root'
        mallory = Forger(elsewhere, 'mallory', 'member')
        for answer in (mallory.get(self.path), mallory.delete(self.path),
                       mallory.post(self.path + '/actions', {'lock': None})):
            self.assert_status(404, answer)


class LegacyTest(ForgedNamesTest):

    settings = base.LEGACY + NOTIFYING


class ForgedExemptionTest(freeze_base.FreezeTestCase):

    template = templates.SCALING
    files = templates.FILES

    def nested(self):
        answer = self.client.get(self.path + '/resources/group').json()
        child = answer['resource']['physical_resource_id']
        return (f'/stacks/{self.client.show_stack(child)["stack_name"]}/'
                f'{child}')

    def test_forged_headers_give_no_exemption_from_freeze(self):
        paths = self.path, self.nested()
        self.freeze(exempt='role:admin or user_id:root or system_scope:all '
                    'or is_admin:True or project_id:root or '
                    'service_roles:admin or service_user_id:root')
        mallory = Forger(self.client.url, 'mallory', 'member')
        for path in paths:
            self.assert_frozen(mallory.delete(path), 'delete')
            self.assert_frozen(mallory.post(
                path + '/actions', {'check': None}), 'check')
