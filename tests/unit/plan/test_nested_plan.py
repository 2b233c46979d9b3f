# SPDX-License-Identifier: Apache-2.0

"""Tests of changes in the content of a nested stack."""

import types

from heat.engine import rsrc_defn
import testtools

from heat_extras.plan import change
from heat_extras.plan import nested_plan

_CERTAIN = change.Change(change.UPDATE)
_MAYBE = change.Change(change.UPDATE, is_certain=False)
_SAME = change.Change()


def _definition(resources, parameters=(), **more):
    return types.SimpleNamespace(
        t=types.SimpleNamespace(t={'resources': resources, **more},
                                RESOURCES='resources',
                                RES_PROPERTIES='properties',
                                RES_METADATA='metadata',
                                RES_DEPENDS_ON='depends_on',
                                RES_UPDATE_POLICY='update_policy'),
        parameters=dict(parameters),
        enabled_rsrc_names=lambda: set(resources or ()))


class _Plan:
    def __init__(self, before, after, changes=None, uncertain=(), **inputs):
        self.stack = types.SimpleNamespace(defn=before)
        self.planned = types.SimpleNamespace(defn=after)
        self.inputs = nested_plan.Inputs(**inputs)
        self._changes, self._uncertain = changes or {}, uncertain
        self.new_names = after.enabled_rsrc_names()

    def new_type(self, name):
        return object

    def new_definition(self, name):
        return rsrc_defn.ResourceDefinition(name, 'T')

    def exists(self, name):
        return name in self._changes

    def predict(self, name):
        return self._changes[name]

    def is_enabled_for_certain(self, name):
        return name not in self._uncertain


class PredictTest(testtools.TestCase):

    def check(self, wanted, before, after, *arguments, **keywords):
        self.assertEqual(wanted, nested_plan.predict_content(_Plan(
            _definition(*before), _definition(*after), *arguments,
            **keywords)))

    def test_change_of_allow_is_ignored(self):
        for policy in ({'allow': {'update': False}}, {'allow': None}):
            self.check(_SAME, [{'a': {'type': 'T'}}],
                       [{'a': {'type': 'T', 'update_policy': policy}}])

    def test_predicted_change_of_resource_is_used(self):
        written = [{'a': {'type': 'T', 'properties': {'p': '0'}}}]
        other = [{'a': {'type': 'T', 'properties': {'p': 0}}}]
        for predicted in (_SAME, _MAYBE, _CERTAIN):
            self.check(predicted, written, other, {'a': predicted})
        self.check(_CERTAIN, written, other,
                   {'a': change.Change(change.REPLACE)})
        # A resource that was never created.
        self.check(_CERTAIN, written, other)

    def test_text_that_changes_no_resource_is_a_change(self):
        for key, value in (('depends_on', 'b'), ('deletion_policy', 'Retain'),
                           ('condition', True)):
            self.check(_CERTAIN, [{'a': {'type': 'T', 'properties': {}}}],
                       [{'a': {'type': 'T', 'properties': {}, key: value}}],
                       {'a': _SAME})
        self.check(_SAME, [{'a': {'depends_on': ['b']}}],
                   [{'a': {'depends_on': 'b'}}], {'a': _SAME})

    def test_unchanged_resource_does_not_hide_added_resource(self):
        written, other = ({'type': 'T', 'properties': {'p': value}}
                          for value in ('0', 0))
        self.check(_CERTAIN, [{'a': written}], [{'a': other, 'b': {}}],
                   {'a': _SAME})

    def test_added_and_removed_resources_are_changes(self):
        self.check(_CERTAIN, [{'a': {}}], [{'a': {}, 'b': {}}])
        self.check(_CERTAIN, [{'a': {}}], [{}])
        self.check(_MAYBE, [{'a': {}}], [{}], uncertain=['a'])

    def test_changed_parameters_are_changes(self):
        self.check(_CERTAIN, [{}], [{}, {'p': 1}])
        self.check(_MAYBE, [{}], [{}, {'p': 1}], parameters={'p'})
        self.check(_SAME, [{}, {'OS::stack_id': 'x'}], [{}])

    def test_changed_outputs_are_a_change(self):
        after = _definition({}, outputs={'o': {}})
        self.assertEqual(_CERTAIN, nested_plan.predict_content(
            _Plan(_definition({}), after)))

    def test_unknown_template_is_uncertain_update(self):
        self.check(_MAYBE, [{'a': {}}], [{'a': {}}], is_known=False)

    def test_certain_change_outweighs_uncertain_change(self):
        self.check(_CERTAIN, [{'a': {}}], [{}, {'p': 1}], uncertain=['a'])


class ContentTest(testtools.TestCase):

    def test_stack_content_does_not_change_template(self):
        resources = {'a': {'type': 'T', 'update_policy': {'allow': {}}}}
        nested_plan.stack_content(_definition(resources))
        self.assertEqual({'allow': {}}, resources['a']['update_policy'])

    def test_stack_content_of_template_without_resources(self):
        self.assertEqual([{'resources': None}, {}],
                         nested_plan.stack_content(_definition(None)))
