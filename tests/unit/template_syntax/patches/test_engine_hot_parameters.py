# SPDX-License-Identifier: Apache-2.0

from heat.common import exception as heat_exception
from heat.engine import template as heat_template

from heat_extras import fixture
from tests.unit.parameters import base
from tests.unit.parameters.patches import test_engine_hot_parameters as on


class SchemaTest(base.testtools.TestCase):
    """With every feature off."""

    def setUp(self):
        super().setUp()
        self.useFixture(fixture.HeatExtras([], ['engine']))

    def test_every_hot_version_reads_the_word_and_drops_it(self):
        for version in on.versions():
            schemata = base.template(
                {'a': {'type': 'string', 'updatable': False},
                 'b': {'type': 'string', 'immutable': True}},
                version=version).param_schemata()
            self.assertEqual({'a': False, 'b': True}, {
                name: schema.immutable
                for name, schema in schemata.items()}, version)

    def test_every_hot_version_refuses_nonsense(self):
        for version in on.versions():
            self.assertRaises(
                heat_exception.InvalidSchemaError,
                base.template({'a': {'type': 'string', 'updatable': 1}},
                              version=version).param_schemata)

    def test_cfn_has_no_such_word(self):
        template = heat_template.Template({
            'HeatTemplateFormatVersion': '2012-12-12', 'Parameters': {
                'a': {'Type': 'String', 'updatable': False}}})
        self.assertRaises(heat_exception.InvalidSchemaError,
                          template.param_schemata)
