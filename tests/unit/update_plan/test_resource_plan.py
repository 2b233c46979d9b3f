# SPDX-License-Identifier: Apache-2.0

"""Tests of the prediction of resource changes."""

from unittest import mock

import testtools

from heat_extras.update_plan import change
from heat_extras.update_plan import resource_plan


class _StackPlan:
    """A stack in which each resource refers to the one before it."""

    def __init__(self, count, uncertain=()):
        self.new_names = set(range(count))
        self._uncertain = uncertain

    def exists(self, name):
        return name in self.new_names

    def is_enabled_for_certain(self, name):
        return name not in self._uncertain

    def requirements(self, name):
        return {name - 1} & self.new_names, set()


class _ResourcePlan(resource_plan.ResourcePlan):
    """A plan with given changes instead of predictions."""

    def __init__(self, plan, given=None):
        super().__init__(plan)
        self._given = given or {}
        self.order = []

    def _predict_known(self, name):
        self.order.append(name)
        predicted = self._given.get(name, resource_plan.UNCHANGED)
        if isinstance(predicted, Exception):
            raise predicted
        return predicted


class ResourcePlanTest(testtools.TestCase):

    def test_long_reference_chain_is_predicted_once_in_order(self):
        plan = _ResourcePlan(_StackPlan(5000))
        plan.predict(4999)
        plan.predict(10)
        self.assertEqual(list(range(5000)), plan.order)

    def test_failed_prediction_is_uncertain(self):
        predicted = _ResourcePlan(_StackPlan(1),
                                  {0: ValueError('why')}).predict(0)
        self.assertFalse(predicted.is_certain)
        self.assertNotEqual(change.UNCHANGED, predicted.action)
        self.assertFalse(predicted.keeps_id)

    def test_resource_with_uncertain_condition_is_uncertain(self):
        for action in (change.UNCHANGED, change.UPDATE, change.REMOVE):
            predicted = _ResourcePlan(_StackPlan(1, uncertain=[0]), {
                0: change.Change(action)}).predict(0)
            self.assertFalse(predicted.is_certain)
            self.assertNotEqual(change.UNCHANGED, predicted.action)


class IsChangedTest(testtools.TestCase):
    def test_missing_required_property_is_a_change(self):
        # Heat's validation reports it later.
        resource = mock.Mock(**{
            'update_template_diff.return_value': {},
            'needs_replace_with_tmpl_diff.return_value': False,
            'update_template_diff_properties.side_effect':
                ValueError('Property Foo not assigned')})
        self.assertTrue(resource_plan.is_changed(resource, *[mock.Mock()] * 4))
