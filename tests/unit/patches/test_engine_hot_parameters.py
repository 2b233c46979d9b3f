# SPDX-License-Identifier: Apache-2.0

from heat.common import exception as heat_exception
from heat.engine import template as heat_template

from heat_extras import fixture
from tests.unit.parameters import base


def versions():
    """List every HOT version of this Heat."""
    heat_template.Template({'heat_template_version': base.VERSION})
    return sorted(version for kind, version in heat_template._template_classes
                  if kind == 'heat_template_version')


class SchemaTest(base.TestCase):
    def test_every_hot_version_reads_updatable(self):
        self.assertIn('2013-05-23', versions())
        for version in versions():
            schemata = base.template(
                {'a': {'type': 'string', 'updatable': False},
                 'b': {'type': 'string', 'updatable': True},
                 'c': {'type': 'string', 'immutable': True}},
                version=version).param_schemata()
            self.assertEqual(
                {'a': True, 'b': False, 'c': True},
                {name: bool(schema.immutable)
                 for name, schema in schemata.items()}, version)

    def test_every_hot_version_rejects_invalid_updatable(self):
        for version in versions():
            error = self.assertRaises(
                heat_exception.InvalidSchemaError,
                base.template({'a': {'type': 'string',
                                     'updatable': 'maybe'}},
                              version=version).param_schemata)
            self.assertIn('parameter a: updatable: maybe is',
                          str(error), version)

    def test_other_keys_of_parameter_are_unchanged(self):
        definition = {'type': 'number', 'default': 3, 'hidden': True,
                      'label': 'A', 'description': 'a', 'tags': ['t'],
                      'constraints': [{'range': {'min': 1}}]}
        schema, wanted = (base.template({'a': each}).param_schemata()['a']
                          for each in (definition | {'updatable': False},
                                       definition | {'immutable': True}))
        self.assertEqual(dict(wanted), dict(schema))
        self.assertEqual(['t'], schema.tags)

    def test_template_is_not_changed(self):
        template = base.template({'a': {'type': 'string',
                                        'updatable': False}})
        template.param_schemata()
        self.assertEqual({'type': 'string', 'updatable': False},
                         template.t['parameters']['a'])

    def test_other_errors_are_those_of_heat(self):
        error = self.assertRaises(
            heat_exception.InvalidSchemaError,
            base.template({'a': {'type': 'string', 'updatable': True,
                                 'updateable': True}}).param_schemata)
        self.assertIn("Invalid key 'updateable'", str(error))
        self.assertRaises(heat_exception.InvalidSchemaError,
                          base.template({'a': 'string'}).param_schemata)

    def test_cfn_template_rejects_updatable(self):
        template = heat_template.Template(
            {'HeatTemplateFormatVersion': '2012-12-12',
             'Parameters': {'a': {'Type': 'String', 'Updatable': False}}})
        self.assertRaises(heat_exception.InvalidSchemaError,
                          template.param_schemata)


class DisabledTest(base.testtools.TestCase):
    """With all features disabled."""

    def setUp(self):
        super().setUp()
        self.useFixture(fixture.HeatExtras([], ['engine']))

    def test_every_hot_version_ignores_updatable_if_disabled(self):
        for version in versions():
            schemata = base.template(
                {'a': {'type': 'string', 'updatable': False},
                 'b': {'type': 'string', 'immutable': True}},
                version=version).param_schemata()
            self.assertEqual({'a': False, 'b': True}, {
                name: bool(schema.immutable)
                for name, schema in schemata.items()}, version)

    def test_invalid_updatable_is_rejected_if_disabled(self):
        for version in versions():
            self.assertRaises(
                heat_exception.InvalidSchemaError,
                base.template({'a': {'type': 'string', 'updatable': 1}},
                              version=version).param_schemata)

    def test_cfn_template_rejects_updatable_if_disabled(self):
        template = heat_template.Template({
            'HeatTemplateFormatVersion': '2012-12-12', 'Parameters': {
                'a': {'Type': 'String', 'updatable': False}}})
        self.assertRaises(heat_exception.InvalidSchemaError,
                          template.param_schemata)
