# SPDX-License-Identifier: Apache-2.0

"""Tests of the cfn API with a locked stack."""

import html
import json
from urllib import parse

from tests.functional import base
from tests.functional import templates
from tests.functional import test_stack_lock


_SIGNALLED = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'handle': {'type': 'AWS::CloudFormation::WaitConditionHandle'},
        'test': {'type': 'OS::Heat::TestResource'}}}
_SLOW = {
    'heat_template_version': '2018-08-31',
    'parameters': {'wait': {'type': 'number', 'default': 0}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'wait'}, 'action_wait_secs': {
            'update': {'get_param': 'wait'}}}}}}


class CfnTest(test_stack_lock.StackLockTestCase):
    # Heat's cfn controllers enforce their rules without a target, so its new
    # defaults ("... and project_id:%(project_id)s") reject all users.
    settings = ('[oslo_policy]\nenforce_new_defaults = false\n'
                '[heat_extras]\ndelete_protection_tag = keep\n')
    # Paths of this API name no project: it is the sandbox's own.
    is_shared = False

    def _call(self, action, **parameters):
        url = self.sandbox.url.partition('/v1/')[0] + '/cfn/v1/'
        return self.client.request('GET', url, params={
            'Action': action, 'Version': '2010-05-15',
            'ContentType': 'JSON', 'StackName': self.name, **parameters})

    def _update(self):
        return self._call('UpdateStack',
                          TemplateBody=json.dumps(templates.SMALL),
                          **{'Parameters.member.1.ParameterKey': 'value',
                             'Parameters.member.1.ParameterValue': 'two'})

    def _refused(self, answer):
        self.assert_status(400, answer)
        self.assertIn('InvalidAction', answer.text)
        self.assertNotIn('InternalFailure', answer.text)
        return answer.text

    def test_cfn_api_returns_same_messages(self):
        self.assertIn(self._locked(), self._refused(self._update()))
        native = self.assert_refused(self.client.delete(self.path))
        self.assertIn(native, self._refused(self._call('DeleteStack')))

    def _locked(self):
        self.assert_status(200, self.lock(level='stacks', reason='db move'))
        return self.assert_refused(self.update())

    def test_delete_protection_rejects_only_delete(self):
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'protect': {'reason': 'the only copy'}}))
        self.addCleanup(self.client.post, self.path + '/actions',
                        {'unprotect': None})
        native = self.assert_status(409, self.client.delete(self.path))
        error = native.json()['error']
        self.assertEqual('StackProtected', error['type'])
        self.assertIn(error['message'],
                      self._refused(self._call('DeleteStack')))
        self.assert_status(200, self._update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_rejected_delete_does_not_stop_update(self):
        path = self.client.create_stack('slow', _SLOW)
        self.addCleanup(self.client.delete, path)
        self.addCleanup(self.client.patch, path, {'tags': ''})
        self.assert_status(202, self.client.patch(
            path, {'tags': 'keep', 'parameters': {'wait': 3}}))
        self.client.wait_for_resource(path, 'test', 'UPDATE_IN_PROGRESS')
        for _ in range(2):
            answer = self._call('DeleteStack', StackName='slow')
            self.assertIn("by the tag 'keep'",
                          html.unescape(self._refused(answer)))
            self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_reads_show_stack_status(self):
        self._locked()
        answer = self.assert_status(200, self._call('DescribeStacks'))
        self.assertIn('CREATE_COMPLETE', answer.text)

    def test_signals_are_ignored_or_delivered(self):
        path = self.client.create_stack('signalled', _SIGNALLED)
        self.addCleanup(self.client.delete, path)
        self.addCleanup(self.client.post, path + '/actions',
                        {'unlock': None})
        self.client.post(path + '/actions', {'lock': {'level': 'stacks'}})
        self.assert_status(200, self._signal('POST', 'signal', path, 'test'))
        self.assert_status(200, self._signal(
            'PUT', 'waitcondition', path, 'handle', {
                'Status': 'SUCCESS', 'Reason': 'up', 'Data': 'x',
                'UniqueId': '1'}))
        self.client.post(path + '/actions', {'unlock': None})
        events = self.events(path)
        self.assertIn('SIGNAL_COMPLETE', [status for name, status, _ in events
                                          if name == 'handle'])
        self.assertIn('1 signal was ignored', events[-1][2])

    def test_invalid_signal_is_reported_to_agent(self):
        path = self.client.create_stack('wrong', _SIGNALLED)
        self.addCleanup(self.client.delete, path)
        self.addCleanup(self.client.post, path + '/actions',
                        {'unlock': None})
        free = self._wrong_signal(path)
        self.client.post(path + '/actions', {'lock': {'level': 'stacks'}})
        self.assertIn('Metadata format invalid', free)
        self.assertEqual(free, self._wrong_signal(path))

    def _wrong_signal(self, path):
        return self._signal('PUT', 'waitcondition', path, 'handle',
                            {'Nothing': 'right'}).text

    def _signal(self, method, kind, path, resource, body=None):
        arn = f'arn:openstack:heat::demo:{path[1:]}/resources/{resource}'
        url = self.sandbox.url.partition('/v1/')[0] + (
            f'/cfn/v1/{kind}/' + parse.quote(arn, safe=''))
        return self.client.request(method, url, json=body)

    def test_update_of_unlocked_stack(self):
        self.assert_status(200, self._update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])


class LegacyCfnTest(CfnTest):
    settings = base.LEGACY + CfnTest.settings
