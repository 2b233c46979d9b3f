# SPDX-License-Identifier: Apache-2.0

"""Tests of resource definitions with ``update_policy.allow``."""

from unittest import mock

import fixtures
from heat.engine import rsrc_defn
from heat.engine import template
import testtools

from heat_extras import fixture
from heat_extras.update_policy import allow
from heat_extras.update_policy import rules

_FIRST = {'allow': {'replace': False}, 'rolling_update': {'pause_time': 1}}


class DefinitionTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(fixture.HeatExtras(['update_policy'], ['engine']))

    def definition(self, policy, kind='heat_template_version'):
        snippet = {'type': 'OS::Heat::Test'}
        if policy is not None:
            snippet['update_policy'] = policy
        self.template = template.Template({
            kind: '2018-08-31', 'resources': {'a': snippet}})
        return self.template.resource_definitions(None)['a']

    def test_update_policy_of_definition_has_no_allow(self):
        self.assertEqual({'rolling_update': {'pause_time': 1}},
                         self.definition(_FIRST)._update_policy)
        alone = self.definition({'allow': {}})
        self.assertIsNone(alone._update_policy)

    def test_allow_is_in_copies_of_definition(self):
        definition = self.definition(_FIRST)
        for copy in (definition, definition.freeze(),
                     definition.freeze(properties={'a': 1}),
                     definition.reparse(None, self.template)):
            self.assertIs(False, allow.read_allow(copy).replace)
            self.assertIsNone(allow.read_allow(copy).update)

    def test_rendered_definition_has_allow(self):
        for definition in (self.definition(_FIRST),
                           self.definition(_FIRST).freeze()):
            self.assertEqual(_FIRST,
                             definition.render_hot()['update_policy'])

    def test_update_ignores_change_of_allow_alone(self):
        before, after = self.definition(_FIRST), self.definition(
            {'rolling_update': {'pause_time': 1}})
        self.assertEqual(before.freeze(), after.freeze())
        self.assertFalse(rsrc_defn.ResourceDefinition.Diff(before, after))
        # A scaling group must still store its new definition.
        self.assertNotEqual(before, after)
        self.assertNotEqual(before.freeze(),
                            self.definition({}).freeze())

    def test_definition_without_allow_is_unchanged(self):
        definition = self.definition(None)
        self.assertEqual(rsrc_defn.ResourceDefinition('a', 'OS::Heat::Test'),
                         definition)
        self.assertNotIn('update_policy', definition.render_hot())
        self.assertFalse(allow.has_allow(definition))
        self.assertEqual(rules.Allow(), allow.read_allow(definition))
        self.assertNotEqual('a', definition.freeze())

    def test_invalid_allow_forbids_update_and_replace(self):
        logger = self.useFixture(fixtures.FakeLogger())
        stack = mock.Mock(id='1234')
        stack.name = 'web'
        allowed = allow.read_allow(self.definition({'allow': 'nothing'}),
                                   stack)
        self.assertIn(' of stack web (1234) cannot be read', logger.output)
        self.assertIn('Correct update_policy.allow', logger.output)
        self.assertEqual((False, False), (allowed.update, allowed.replace))
