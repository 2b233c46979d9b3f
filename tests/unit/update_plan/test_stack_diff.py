# SPDX-License-Identifier: Apache-2.0

"""Tests of what makes up a nested stack."""

import types

import testtools

from heat_extras.update_plan import stack_diff


def _definition(resource, parameters=()):
    return types.SimpleNamespace(
        t=types.SimpleNamespace(t={'resources': {'a': resource}}),
        parameters=dict(parameters))


class ContentTest(testtools.TestCase):

    def _differ(self, before, after):
        return stack_diff.differs(types.SimpleNamespace(
            defn=_definition(*before)), _definition(*after))

    def test_what_is_allowed_does_not_count(self):
        for policy in ({'allow': {'update': False}}, {'allow': None}):
            self.assertFalse(self._differ(
                [{'type': 'T'}], [{'type': 'T', 'update_policy': policy}]))
        self.assertFalse(self._differ(
            [{'type': 'T', 'update_policy': {'more': 1}}],
            [{'type': 'T', 'update_policy': {'allow': {}, 'more': 1}}]))

    def test_everything_else_counts(self):
        for after in ({'type': 'U'}, {'type': 'T', 'update_policy': {
                'allow': {}, 'more': 1}}, {'type': 'T', 'properties': {}}):
            self.assertTrue(self._differ([{'type': 'T'}], [after]))
        self.assertTrue(self._differ([{'type': 'T'}],
                                     [{'type': 'T'}, {'p': 1}]))

    def test_the_pseudo_parameters_do_not_count(self):
        self.assertFalse(self._differ(
            [{'type': 'T'}, {'OS::stack_id': 'x'}], [{'type': 'T'}]))

    def test_the_template_stays_as_it_is(self):
        found = {'type': 'T', 'update_policy': {'allow': {}}}
        stack_diff.of(_definition(found))
        self.assertEqual({'allow': {}}, found['update_policy'])

    def test_a_template_without_resources(self):
        definition = _definition({})
        definition.t.t = {'resources': None}
        self.assertEqual([{'resources': None}, {}], stack_diff.of(definition))
