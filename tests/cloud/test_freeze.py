# SPDX-License-Identifier: Apache-2.0

"""Freezes, locks and lock passes with other ways to authenticate.

These are tokens of trusts, EC2 signatures, and users of other projects.
"""

import json
import os

from tests.cloud import base
from tests.functional import freeze_base
from tests.harness.cloud import cfn

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'kept': {'type': 'OS::Heat::Value', 'properties': {
        'value': {'get_param': 'value'}}}}}


class FreezeTest(base.CloudTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.create_stack(TEMPLATE)
        self.name = self.path.split('/')[2]
        # Remove all freezes before the stack is deleted.
        self.addCleanup(self.write)

    def write(self, *windows):
        path = self.cloud.heat.freezes_file
        with open(path + '.new', 'w') as target:
            json.dump({'freezes': windows}, target)
        os.rename(path + '.new', path)

    def freeze(self, exempt):
        self.write({
            'name': 'year-end', 'reason': 'holidays', 'exempt': exempt,
            'begin': freeze_base.moment(hours=-1),
            'end': freeze_base.moment(hours=1)})

    def update(self, client):
        return client.patch(self.path, {'parameters': {'value': 'two'}})

    def update_signed(self, name):
        return cfn.CfnClient(self.client(name)).call(
            'UpdateStack', StackName=self.name,
            TemplateBody=json.dumps(TEMPLATE))

    def assert_frozen(self, client):
        answer = self.assert_status(409, self.update(client))
        self.assertEqual('StackFrozen', answer.json()['error']['type'])
        return answer.json()['error']['message']

    def assert_begins(self, answer, status=202):
        self.assert_status(status, answer)
        # The update may fail: if the request uses a trust or a signature,
        # and another user owns the stack, Keystone rejects a trust for Heat.
        self.alice.wait_for_stack(self.path, ['UPDATE_COMPLETE',
                                              'UPDATE_FAILED'])

    def test_roles_of_trust_decide_on_exemption_from_freeze(self):
        ops, bob = self.client('ops'), self.client('bob')
        self.freeze('role:admin')
        # The roles of the trustor and of the trustee have no effect.
        self.assert_frozen(ops.trust(bob, 'member'))
        self.assert_frozen(self.alice.trust(ops, 'member'))
        self.assert_begins(self.update(ops.trust(bob, 'admin')))

    def test_user_of_trust_token_decides_on_exemption_from_freeze(self):
        bob = self.client('bob')
        self.freeze(f'user_id:{bob.connection.current_user_id}')
        self.assert_frozen(self.alice)
        self.assert_frozen(self.alice.trust(bob, 'member'))
        self.assert_begins(self.update(self.alice.trust(
            bob, 'member', impersonation=False)))

    def test_freeze_is_enforced_for_requests_with_ec2_signature(self):
        self.freeze('role:admin')
        native = self.assert_frozen(self.alice)
        answer = self.assert_status(400, self.update_signed('alice'))
        self.assertIn('InvalidAction', answer.text)
        self.assertIn(native, answer.text)
        self.assert_begins(self.update_signed('ops'), 200)

    def test_error_without_access_does_not_reveal_freeze(self):
        self.freeze('role:admin and project_id:' + self.alice.project_id)
        mallory = self.client('mallory')
        for answer in (self.update(mallory), mallory.delete(self.path),
                       mallory.get(self.path + '/guards')):
            self.assertIn(answer.status_code, (403, 404), answer.text)
            self.assertNotIn('frozen', answer.text)
        # Heat allows an admin of any project to update; a freeze does not.
        self.assert_frozen(self.client('root'))
        eve = self.client('eve')
        answer = self.assert_status(403, self.update(eve))
        self.assertNotIn('frozen', answer.text)
        self.assertEqual(['year-end'], [
            each['name'] for each in self.assert_status(
                200, eve.get(self.path + '/guards')).json()['guards']])

    def test_lock_pass_is_enforced_with_trusts_and_ec2_signatures(self):
        bob = self.client('bob')
        self.assert_status(200, self.act(self.path, 'lock',
                                         {'level': 'stacks'}))
        self.assert_status(200, self.act(self.path, 'lock_pass', {
            'user': {'id': self.alice.connection.current_user_id},
            'expires_at': freeze_base.moment(minutes=30)}))
        # A trust that impersonates the pass user, and another user with a
        # signature, are rejected.
        self.assert_refused(self.update(self.alice.trust(bob, 'member')))
        answer = self.assert_status(400, self.update_signed('bob'))
        self.assertIn('is locked (level stacks)', answer.text)
        # A freeze is checked before the lock pass, and does not use it.
        self.freeze('role:admin')
        self.assert_frozen(self.alice)
        self.assertIn('is frozen until', self.assert_status(
            400, self.update_signed('alice')).text)
        self.assertIn('is frozen until', self.update(
            self.alice.trust(bob, 'member')).text)
        self.write()
        self.assert_status(200, self.update_signed('alice'))
        self.wait_for('the lock to be whole again', lambda: [
            self.alice.show_stack(self.path)[key] for key in (
                'stack_status', 'lock_level', 'lock_pass')],
            lambda value: value == ['UPDATE_COMPLETE', 'stacks', None])
        self.assert_refused(self.update(self.alice))
