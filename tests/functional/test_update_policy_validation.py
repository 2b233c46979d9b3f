# SPDX-License-Identifier: Apache-2.0

"""Tests of the validation of ``update_policy.allow``."""

import copy
import json

from tests.functional import base

_TEST = {'type': 'OS::Heat::TestResource', 'properties': {'value': 'one'}}
_HOT = {
    'heat_template_version': '2018-08-31',
    'parameters': {
        'open': {'type': 'boolean', 'default': True},
        'word': {'type': 'string', 'default': 'maybe', 'hidden': True},
    },
}
_MEMBER = {'type': 'OS::Heat::RandomString'}
_TYPES = {
    'OS::Heat::TestResource': {},
    'OS::Heat::ResourceGroup': {'count': 0, 'resource_def': _MEMBER},
    'OS::Heat::AutoScalingGroup': {
        'min_size': 0, 'max_size': 1, 'resource': _MEMBER},
    'OS::Heat::SoftwareDeploymentGroup': {'servers': {}},
    'member.yaml': {},
}
_OWN = {
    'OS::Heat::ResourceGroup': {'rolling_update': {'max_batch_size': 2}},
    'OS::Heat::SoftwareDeploymentGroup': {
        'rolling_update': {'max_batch_size': 2}},
}
_FILES = {'member.yaml': """
heat_template_version: 2018-08-31
resources:
  text: {type: OS::Heat::RandomString}
"""}


def _with_policy(policy, resource=None):
    return dict(_HOT, resources={
        'other': _TEST,
        'guarded': dict(resource or _TEST, update_policy=policy)})


class ValidationTest(base.TestCase):

    settings = '[heat_extras]\nfeatures = update_policy\n'

    def assertRefused(self, allow, *words, **body):
        template = _with_policy({'allow': allow})
        for path, fields in (('/stacks', {'stack_name': 'wrong'}),
                             ('/validate', {})):
            answer = self.client.post(path, dict(
                fields, template=template, **body))
            self.assertEqual(400, answer.status_code, answer.text)
            for word in ('guarded', 'update_policy', 'allow', *words):
                self.assertIn(word, answer.text)

    def test_every_type_accepts_allow_beside_own_keys(self):
        resources = {}
        for number, (kind, properties) in enumerate(_TYPES.items()):
            resources[f'r{number}'] = {
                'type': kind, 'properties': properties,
                'update_policy': dict(_OWN.get(kind, {}), allow={
                    'update': {'get_param': 'open'}, 'replace': False})}
        path = self.client.create_stack(
            'types', dict(_HOT, resources=resources), files=_FILES)
        stored = self.client.get(path + '/template').json()
        for name, definition in resources.items():
            self.assertEqual(definition['update_policy'],
                             stored['resources'][name]['update_policy'])
        self.client.delete(path)

    def test_unknown_keys_and_non_boolean_values_are_rejected(self):
        self.assertRefused({'delete': False}, r'unknown key \"delete\"',
                           r'keys are \"update\" and \"replace\"')
        self.assertRefused({'update': 'maybe'},
                           'is maybe, but must be true or false')
        self.assertRefused({'update': 'true'}, 'allow.update',
                           'must be true or false, without quotes')
        self.assertRefused({'replace': 1}, 'must be true or false')
        self.assertRefused({'replace': None}, 'true or false')
        self.assertRefused([True], 'must be a map')
        self.assertRefused(True, 'must be a map')
        self.assertRefused({'update': {'get_attr': ['other', 'output']}},
                           'other')
        self.assertRefused({'update': {'get_resource': 'other'}}, 'other')

    def test_failing_functions_are_reported(self):
        for broken, kind in (
                ({'yaql': {'expression': '$.data / 0', 'data': 1}},
                 'ZeroDivisionError'),
                ({'str_split': [',', {'get_param': 'open'}]},
                 'AttributeError')):
            self.assertRefused({'replace': broken},
                               f'has a function that fails ({kind})')

    def test_quoted_value_of_parameter_is_rejected(self):
        template = _with_policy({'allow': {'update': {'get_param': 'say'}}})
        for kind, value, status in (('boolean', 'no', 201),
                                    ('string', 'false', 400)):
            template['parameters'] = {'say': {'type': kind,
                                              'default': value}}
            answer = self.client.post('/stacks', {
                'stack_name': f'said-{kind}', 'template': template})
            self.assertEqual(status, answer.status_code, answer.text)
        self.assertIn('must be true or false, without quotes', answer.text)
        self.assertIn('of the type boolean', answer.text)

    def test_parameter_may_lack_value_during_validation(self):
        template = _with_policy({'allow': {'update': {'get_param': 'say'}}},
                                {'type': 'member.yaml'})
        template['parameters'] = {'say': {'type': 'boolean'}}
        body = {'template': template, 'files': _FILES}
        answer = self.client.post('/validate', body)
        self.assertEqual(200, answer.status_code, answer.text)
        self.assertIn('say', answer.json()['Parameters'])
        answer = self.client.post('/stacks', dict(body, stack_name='mute'))
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('say', answer.text)

    def test_value_in_nested_template_is_not_shown(self):
        wrong = {'member.yaml': json.dumps(_with_policy(
            {'allow': {'update': 'no'}}))}
        for resource in ({'type': 'member.yaml'}, {
                'type': 'OS::Heat::ResourceGroup', 'properties': {
                    'count': 1, 'resource_def': {'type': 'member.yaml'}}}):
            answer = self.client.post('/stacks', {
                'stack_name': 'wrong', 'files': wrong,
                'template': dict(_HOT, resources={'nested': resource})})
            self.assertEqual(400, answer.status_code, answer.text)
            self.assertIn('must be true or false', answer.text)

    def test_misplaced_keys_are_rejected_with_example(self):
        for resource, allow in (
                (None, {'replace': False}),
                (None, {'allow': {'update': True}, 'replace': False}),
                (None, {'actions': {'replace': False, 'suspend': False}}),
                (None, {'actions': ['replace']}),
                ({'type': 'OS::Heat::ResourceGroup',
                  'properties': _TYPES['OS::Heat::ResourceGroup']},
                 {'update': {'get_param': 'open'}, 'replace': False})):
            template = _with_policy(allow, resource)
            for path, fields in (('/stacks', {'stack_name': 'wrong'}),
                                 ('/validate', {})):
                answer = self.client.post(path, dict(fields,
                                                     template=template))
                self.assertEqual(400, answer.status_code, answer.text)
                self.assertIn('Unknown Property', answer.text)
                self.assertIn('To restrict updates, write for example '
                              'allow: {replace: false}', answer.text)

    def test_unknown_parameter_is_rejected(self):
        answer = self.client.post('/stacks', {
            'stack_name': 'wrong', 'template': _with_policy(
                {'allow': {'update': {'get_param': 'absent'}}})})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('absent', answer.text)

    def test_update_with_invalid_allow_changes_nothing(self):
        path = self.client.create_stack('kept', _with_policy({}))
        answer = self.client.put(path, {
            'template': _with_policy({'allow': {'update': 'maybe'}})})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertEqual('CREATE_COMPLETE',
                         self.client.show_stack(path)['stack_status'])
        self.client.delete(path)

    def test_hidden_value_is_not_shown(self):
        template = _with_policy({'allow': {
            'update': {'get_param': 'word'}}})
        answer = self.client.post('/stacks', {
            'stack_name': 'hidden', 'template': template,
            'parameters': {'word': 'secret!'}})
        self.assertEqual(400, answer.status_code)
        self.assertNotIn('secret!', answer.text)

    def test_keys_and_numbers_of_hidden_parameters_are_not_shown(self):
        for kind, value, text, shown in (
                ('json', {'secret-key': True}, 'secret', 'an unknown key'),
                ('number', 7321, '7321', 'must be true or false')):
            template = _with_policy({'allow': {'get_param': 'own'}})
            if kind == 'number':
                template = _with_policy({'allow': {
                    'update': {'get_param': 'own'}}})
            template['parameters'] = {
                **template['parameters'],
                'own': {'type': kind, 'hidden': True}}
            answer = self.client.post('/stacks', {
                'stack_name': f'hidden-{kind}', 'template': template,
                'parameters': {'own': value}})
            self.assertEqual(400, answer.status_code)
            self.assertIn(shown, answer.text)
            self.assertNotIn(text, answer.text)

    def test_own_keys_are_validated(self):
        answer = self.client.post('/stacks', {
            'stack_name': 'own', 'template': _with_policy(
                {'allow': {'update': False}, 'rolling': {}})})
        self.assertEqual(400, answer.status_code)
        self.assertIn('rolling', answer.text)
        self.assertNotIn('To restrict updates', answer.text)

    def test_cfn_templates_reject_allow(self):
        answer = self.client.post('/stacks', {
            'stack_name': 'cfn', 'template': {
                'HeatTemplateFormatVersion': '2012-12-12',
                'Resources': {'guarded': {
                    'Type': 'OS::Heat::RandomString',
                    'UpdatePolicy': {'allow': {'replace': False}}}}}})
        self.assertEqual(400, answer.status_code)
        self.assertIn('Unknown Property allow', answer.text)

    def test_change_of_allow_updates_no_resource(self):
        before = _with_policy({'allow': {'replace': False}})
        after = copy.deepcopy(before)
        after['resources']['guarded']['update_policy'] = {
            'allow': {'replace': True, 'update': False}}
        without = copy.deepcopy(before)
        del without['resources']['guarded']['update_policy']
        path = self.client.create_stack('alone', before)
        for template in (after, without, before):
            self.client.put(path, {'template': template})
            self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        body = self.client.get(path + '/resources/guarded').json()
        self.assertEqual('CREATE_COMPLETE',
                         body['resource']['resource_status'])
        self.client.delete(path)
