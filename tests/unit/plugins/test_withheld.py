# SPDX-License-Identifier: Apache-2.0

import types

from heat.common import identifier
from heat.engine import environment
from heat.engine import function
from heat.engine import resources
from heat.engine import template as templates
import testtools

from heat_extras.plugins import withheld

GET = {'get_param': 'secret'}
PARAMETERS = {'secret': {'type': 'string', 'default': 'by-default'},
              'open': {'type': 'string'},
              'map': {'type': 'json'},
              'flag': {'type': 'boolean'}}
VALUES = {'secret': 'hunter2', 'open': 'known', 'flag': True,
          'map': {'key': 'hunter2'}}
SECRET = {'secret', 'map', 'flag'}

# What the functions of a template could make of it.
DERIVED = (
    GET, {'str_split': [',', GET, 0]}, {'digest': ['md5', GET]},
    {'list_join': [',', ['a', GET]]}, {'get_param': ['map', 'key']},
    {'get_param': {'list_join': ['', ['sec', 'ret']]}},
    {'str_replace': {'template': 'x', 'params': {'x': GET}}},
    {'str_replace': {'template': 'x', 'params': {'get_param': 'map'}}},
    {'make_url': {'scheme': 'http', 'host': 'x', 'password': GET}},
    {'yaql': {'expression': '$.data', 'data': GET}},
    {'repeat': {'template': '%x%', 'for_each': {'%x%': [GET]}}},
    {'map_merge': [{'a': 1}, {'get_param': 'map'}]},
    {'if': ['is_set', 'one', 'other']}, {'if': ['is_not', 'one', 'other']},
    {'get_attr': ['a', 'show']}, {'get_resource': 'a'},
    {'get_attr': ['b', 'value']}, {'get_resource': 'b'},
    {'resource_facade': 'metadata'})

TEMPLATE = {
    'heat_template_version': '2018-08-31', 'parameters': PARAMETERS,
    'conditions': {'is_set': {'get_param': 'flag'},
                   'is_not': {'not': 'is_set'},
                   'is_open': {'equals': [{'get_param': 'open'}, 'known']}},
    'resources': {'b': {'type': 'OS::Heat::Value'}}}


class Careless(function.Function):
    """A function that takes every exception for an empty value."""

    def result(self):
        try:
            return function.resolve(self.args)
        except Exception:
            return 'nothing'


class WithheldTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        resources.initialise()
        self.stack = types.SimpleNamespace(
            context=None, identifier=lambda: identifier.HeatIdentifier(
                'tenant', 'name', 'id'))

    def definition(self, properties, document=None, **body):
        document = {**TEMPLATE, **(document or {})}
        document['resources'] = {**TEMPLATE['resources'], 'a': {
            'type': 'OS::Heat::None', 'properties': properties, **body}}
        template = templates.Template(document, env=environment.Environment({
            'parameters': VALUES, 'parameter_defaults': {
                'secret': 'as-default'}}))
        return withheld.definition(self.stack, template, document, 'a',
                                   SECRET)[1]

    def read(self, snippet, document=None):
        return self.definition({'x': snippet}, document)._properties['x']

    def test_nothing_that_is_made_of_a_secret_is_there(self):
        for snippet in DERIVED:
            self.assertEqual('******', self.read(snippet), snippet)

    def test_what_stands_beside_it_is(self):
        self.assertEqual(
            {'a': 'known', 'b': ['x', '******'], 'c': {'d': 'known-1'}},
            self.read({'a': {'get_param': 'open'}, 'b': ['x', GET],
                       'c': {'d': {'list_join': ['-', [
                           {'get_param': 'open'}, '1']]}}}))
        self.assertEqual('one', self.read({'if': ['is_open', 'one', 'two']}))
        self.assertEqual('name', self.read({'get_param': 'OS::stack_name'}))

    def test_what_if_leaves_out_is_not_there(self):
        nothing = {'if': [{'not': 'is_open'}, 'b']}
        found = self.definition({'x': nothing, 'y': 1, 'z': ['a', nothing]},
                                {'heat_template_version': '2021-04-16'})
        self.assertEqual({'y': 1, 'z': ['a']}, found._properties)

    def test_a_function_that_hides_errors_gets_nothing_either(self):
        kind = type(templates.Template(TEMPLATE))
        self.patch(kind, 'functions',
                   {**kind.functions, 'careless': Careless})
        self.assertEqual('******', self.read({'careless': GET}))
        self.assertEqual('******', self.read(
            {'careless': {'no_function': [GET]}}))

    def test_a_mark_is_no_argument_of_a_function(self):
        for snippet in ({'digest': ['md5', '******']},
                        {'if': [{'equals': ['******', 'x']}, 'a', 'b']},
                        {'get_param': '******'}):
            self.assertEqual('******', self.read(snippet))
        self.assertEqual('******', self.read(
            {'if': ['is_marked', 'a', 'b']}, {'conditions': {
                'is_marked': {'equals': ['******', 'x']}}}))

    def test_a_resource_that_a_secret_enables_is_not_there(self):
        self.assertRaises(withheld.Withheld, self.definition, {},
                          condition='is_set')
        self.assertIsNotNone(self.definition({}, condition='is_open'))

    def test_properties_that_a_function_makes_are_none(self):
        self.assertIsNone(withheld.unless_withheld(self.definition)(
            {'get_param': 'map'}))

    def test_metadata_are_read_as_well(self):
        found = self.definition({}, metadata={'a': GET, 'b': 'c'})
        self.assertEqual({'a': '******', 'b': 'c'}, found._metadata)

    def test_templates_of_aws(self):
        document = {
            'HeatTemplateFormatVersion': '2012-12-12',
            'Parameters': {'secret': {'Type': 'String', 'Default': 'x'},
                           'open': {'Type': 'String', 'Default': 'known'}},
            'Resources': {'a': {'Type': 'X', 'Properties': {
                'a': {'Ref': 'secret'}, 'b': {'Ref': 'open'},
                'c': {'Fn::Join': ['', [{'Ref': 'secret'}]]},
                'd': {'Ref': 'b'}, 'e': {'Fn::GetAtt': ['b', 'x']},
                'f': {'Fn::GetAZs': ''}}}, 'b': {'Type': 'X'}}}
        found = withheld.definition(
            self.stack, templates.Template(document), document, 'a',
            {'secret'})[1]._properties
        self.assertEqual({'b': 'known', **dict.fromkeys('acdef', '******')},
                         found)

    def patch(self, target, name, value):
        before = getattr(target, name)
        setattr(target, name, value)
        self.addCleanup(setattr, target, name, before)
