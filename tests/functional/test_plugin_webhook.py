# SPDX-License-Identifier: Apache-2.0

"""Tests of the plugin heat_extras_webhook in a running Heat."""

import collections
import json

from tests.functional import base
from tests.harness import policy_service
from tests.harness import waiting

FILES = {'inner.yaml': """
heat_template_version: 2018-08-31
parameters: {value: {type: string}}
resources:
  text: {type: OS::Heat::Value, properties: {value: {get_param: value}}}
"""}

DEEP = {'deep.yaml': """
heat_template_version: 2018-08-31
parameters: {value: {type: string}}
resources:
  deep: {type: inner.yaml, properties: {value: {get_param: value}}}
"""}


def template(kind='OS::Heat::RandomString'):
    password = {'get_param': 'password'}
    return {
        'heat_template_version': '2018-08-31',
        'parameters': {'password': {'type': 'string', 'hidden': True,
                                    'default': 'default-secret',
                                    'constraints': [{'length': {
                                        'min': 4}}]},
                       'colour': {'type': 'string', 'default': 'red'}},
        'resources': {
            'own': {'type': kind},
            'inner': {'type': 'inner.yaml', 'properties': {
                'value': password}},
            'group': {'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': 1, 'resource_def': {
                    'type': 'OS::Heat::Value', 'properties': {
                        'value': {'list_join': ['-', ['a', password]]}}}}}}}


class WebhookTest(base.TestCase):
    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.service = cls.use_in_class(
            policy_service.PolicyService('127.0.0.1'))
        cls.settings = (
            '[heat_extras]\n'
            f'webhook_url = {cls.service.url}/v1/data/heat/decision\n'
            f'webhook_ca_file = {cls.service.certificate}\n'
            'webhook_secret = key\nwebhook_calls = pre,post\n')
        super().setUpClass()

    def asked(self, path, call, action):
        """Wait for a webhook request for a stack, and return it."""
        wanted = path.rpartition('/')[2], call, action

        def is_wanted(asked):
            return wanted == (
                asked['stack']['id'], asked['call'], asked['action'])

        inputs = waiting.until(
            f'{call} {action} of {path} to be asked',
            lambda: [json.loads(request['body'])['input']
                     for request in self.service.requests()],
            lambda inputs: any(map(is_wanted, inputs)))
        return next(filter(is_wanted, inputs))

    def test_denial_contains_message_of_service(self):
        path = self.client.create_stack(
            'denied', template('OS::Heat::TestResource'), wait=False,
            files=FILES)
        stack = self.client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertEqual(
            'CREATE denied by lifecycle plugin heat_extras_webhook: no tests '
            'in production: own. Nothing was created.',
            stack['stack_status_reason'])

    def test_request_contains_templates_without_hidden_values(self):
        parameters = {'password': 'first-secret'}
        path = self.client.create_stack('told', template(), files=FILES,
                                        parameters=parameters)
        asked = self.asked(path, 'pre', 'CREATE')
        self.assertIsNone(asked['old'])
        self.assertEqual({'colour': 'red'}, {
            name: value for name, value in
            asked['new']['parameters'].items() if '::' not in name})
        self.assertEqual(['colour'],
                         list(asked['new']['template']['parameters']))
        self.assertEqual('told', asked['stack']['name'])

        self.client.put(path, {
            'template': template(), 'files': FILES,
            'parameters': {'password': 'second-secret', 'colour': 'blue'}})
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        asked = self.asked(path, 'pre', 'UPDATE')
        self.assertEqual(['red', 'blue'], [
            asked[age]['parameters']['colour'] for age in ('old', 'new')])
        self.assertEqual(asked['operation_id'], self.asked(
            path, 'post', 'UPDATE')['operation_id'])
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        self.asked(path, 'post', 'DELETE')

        requests = self.service.requests()
        nested = [age for age in requests
                  if json.loads(age['body'])['input']['stack']['owner']
                  == path.rpartition('/')[2]]
        # Two nested stacks, at create, update and delete, before and after,
        # and before the create and update of their parent.
        self.assertEqual({'pre': 6, 'post': 6, 'dry_run': 4},
                         collections.Counter(
                             json.loads(age['body'])['input']['call']
                             for age in nested))
        # Heat creates nested stacks from resolved values.
        self.assertEqual({None}, {
            content and content['parameters'] and content['template']
            for age in nested for content in map(
                json.loads(age['body'])['input'].get, ('old', 'new'))})
        for request in requests:
            self.assertNotIn('secret', request['body'])
            self.assertIn('x-heat-extras-signature', request['headers'])

    def test_denied_nested_stack_is_stop_and_creates_nothing(self):
        path = self.client.create_stack('outside', template(), files=FILES)
        new = template()
        new['resources']['forbidden'] = {'type': 'deep.yaml', 'properties': {
            'value': {'get_param': 'password'}}}
        update = {'template': new, 'files': {**FILES, **DEEP},
                  'parameters': {'password': 'third-secret'}}
        plan = self.client.put(path + '/preview', update).json()[
            'resource_changes']
        stops = {entry['path']: stop['message'] for entry in plan['plan']
                 for stop in entry['stops']}
        reason = ('denied by lifecycle plugin heat_extras_webhook: stack '
                  'outside-forbidden')
        self.assertEqual({
            'forbidden': f'CREATE of nested stack forbidden {reason}',
            'forbidden/deep':
                f'CREATE of nested stack forbidden/deep {reason}-deep'}, stops)
        self.client.put(path, update)
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertEqual(f'{stops["forbidden"]}. Nothing was changed.',
                         stack['stack_status_reason'])
        asked = [json.loads(request['body'])['input']
                 for request in self.service.requests()
                 if 'outside-forbidden' in request['body']]
        self.assertEqual(
            [('dry_run', 'forbidden'), ('dry_run', 'forbidden/deep'),
             ('dry_run', 'forbidden')],
            [(each['call'], each['path']) for each in asked])
        root_id = path.rpartition('/')[2]
        for each in asked:
            self.assertEqual((None, root_id), (each['stack']['id'],
                                               each['stack']['owner']))
        self.assertEqual([None, None], [
            each['operation_id'] for each in asked[:2]])
        for request in self.service.requests():
            self.assertNotIn('secret', request['body'])
