# SPDX-License-Identifier: Apache-2.0

"""Tests that compare template validation with Heat without heat-extras."""

import json

from tests.functional import base

_VERSION = {'heat_template_version': '2018-08-31'}
_PLAIN = {
    **_VERSION,
    'parameter_groups': [{'label': 'all', 'parameters': ['size', 'key']}],
    'parameters': {
        'size': {'type': 'number', 'default': 1, 'label': 'Size',
                 'constraints': [{'range': {'min': 1, 'max': 5}}]},
        'key': {'type': 'string', 'hidden': True, 'tags': ['a', 'b']},
        'names': {'type': 'comma_delimited_list', 'default': 'a,b'},
        'map': {'type': 'json', 'default': {}},
        'on': {'type': 'boolean', 'default': False}},
}
_OLD = {'heat_template_version': '2013-05-23',
        'parameters': {'name': {'type': 'string', 'description': 'A name'}}}
_CFN = {'HeatTemplateFormatVersion': '2012-12-12', 'Parameters': {
    'Name': {'Type': 'String', 'NoEcho': True, 'Default': 'x',
             'AllowedValues': ['x', 'y']}}}
# One at a time: the order of several is another in each process of Heat.
_NESTING = (
    {'type': 'nested.yaml'},
    {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': 2, 'resource_def': {'type': 'nested.yaml'}}})
_ENVIRONMENTS = {name: json.dumps({'parameters': values}) for name, values in (
    ('one.yaml', {'key': 'one', 'size': 2}), ('two.yaml', {'key': 'two'}))}
_SETTINGS = '[oslo_policy]\nenforce_new_defaults = false\n'


def _nested(template, resource=_NESTING[0]):
    return {'template': {**_VERSION, 'resources': {'nested': resource}},
            'files': {'nested.yaml': json.dumps(template)}}


class ValidationTestCase(base.TestCase):

    # Paths of the cfn API name no project: it is the sandbox's own.
    is_shared = False
    settings = _SETTINGS

    def validate(self, body, query='', client=None):
        return (client or self.client).post('/validate' + query, body)

    def validate_cfn(self, template, client=None):
        client = client or self.client
        return client.request(
            'GET', client.url.partition('/v1/')[0] + '/cfn/v1/', params={
                'Action': 'ValidateTemplate', 'Version': '2010-05-15',
                'ContentType': 'JSON', 'TemplateBody': json.dumps(template)})


class PlainTemplateTest(ValidationTestCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        bare = cls.use_in_class(
            base.Sandbox(['--features', ''], _SETTINGS))
        cls.bare = bare.client()

    def assert_same(self, validate, *arguments):
        response = validate(*arguments)
        self.assertEqual(200, response.status_code, response.text)
        wanted = validate(*arguments, client=self.bare)
        self.assertEqual(wanted.content, response.content)
        return response.json()

    def test_native_api(self):
        for template in (_PLAIN, _OLD, _CFN, _VERSION):
            self.assert_same(self.validate, {'template': template})

    def test_nested_templates(self):
        for template in (_OLD, _CFN, _PLAIN):
            for resource in _NESTING:
                body = self.assert_same(self.validate, _nested(
                    template, resource), '?show_nested=true')
                self.assertIn('nested', body['NestedParameters'])

    def test_merged_environments(self):
        body = self.assert_same(self.validate, {
            'template': _PLAIN, 'files': _ENVIRONMENTS,
            'environment': {'parameters': {'on': True}},
            'environment_files': list(_ENVIRONMENTS)})
        self.assertEqual('two', body['Parameters']['key']['Value'])
        self.assertIn('Environment', body)

    def test_cfn_api(self):
        for template in (_PLAIN, _OLD, _CFN):
            self.assert_same(self.validate_cfn, template)

    def test_invalid_templates(self):
        broken = {**_VERSION, 'resources': {'a': {'type': 'No::Such'}}}
        for body in ({'template': broken}, {'template': {}},
                     _nested(broken)):
            self.assertEqual(
                self.validate(body, client=self.bare).content,
                self.validate(body).content)


class ExtendedTemplateTest(ValidationTestCase):

    def shown(self, parameters):
        return {name: (each.get('Updatable'), each.get('Immutable'))
                for name, each in parameters.items()}

    def test_attributes_are_shown_for_each_parameter(self):
        words = {'size': {'updatable': False}, 'names': {'updatable': True},
                 'map': {'immutable': True}, 'on': {'immutable': False}}
        parameters = {
            name: {**schema, **words.get(name, {})}
            for name, schema in _PLAIN['parameters'].items()}
        template = {**_PLAIN, 'parameters': parameters}
        wanted = {'size': (False, True), 'names': (True, False),
                  'map': (False, True), 'on': (True, False),
                  'key': (None, None)}
        body = self.validate({'template': template}).json()
        self.assertEqual(wanted, self.shown(body['Parameters']))
        for resource in _NESTING:
            nested = self.validate(_nested(template, resource),
                                   '?show_nested=true').json()
            self.assertEqual(wanted, self.shown(self._parameters(nested)))
        self.assertNotIn('Immutable', self.validate_cfn(template).text)

    def _parameters(self, nested):
        while 'NestedParameters' in nested:
            nested, = nested['NestedParameters'].values()
        return nested['Parameters']
