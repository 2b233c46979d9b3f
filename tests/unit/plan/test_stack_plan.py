# SPDX-License-Identifier: Apache-2.0

"""Tests of the number of steps of a plan; functional tests have the rest."""

from unittest import mock

from heat.common import context
from heat.engine import resources
from heat.engine import stack as heat_stack
from heat.engine import template
import testtools

from heat_extras.heat_internals import resource_rows
from heat_extras.plan import known_attributes
from heat_extras.plan import stack_plan

VERSION = '2021-04-16'


def make_plan(values):
    """Return the plan of a stack that gets an OS::Heat::Value for each value.

    :param values: from the name of a resource to the property ``value``.
    """
    resources.initialise()
    empty = template.Template({'heat_template_version': VERSION})
    # With is_admin, Heat does not look for policy files.
    stack = heat_stack.Stack(context.RequestContext(
        project_id='p', is_admin=False), 's', empty)
    rows = mock.Mock(by_name={}, in_progress=(), interrupted={})
    with mock.patch.object(resource_rows, 'Rows', return_value=rows):
        return stack_plan.StackPlan(stack, template.Template({
            'heat_template_version': VERSION, 'resources': {
                name: {'type': 'OS::Heat::Value', 'properties': {
                    'value': value}} for name, value in values.items()}}))


def attribute(number):
    return {'get_attr': [f'v{number}', 'value']}


def chain(count, make):
    """Return values, of which each is made of the value before it."""
    return {f'v{number}': make(attribute(number - 1)) if number else 'x'
            for number in range(count)}


class StepsTest(testtools.TestCase):

    def find_last(self, values):
        """Return the value of the last resource, and the number of steps."""
        plan = make_plan(values)
        with mock.patch.object(known_attributes, '_value', side_effect=(
                known_attributes._value)) as steps:
            plan.predict([*values][-1])
            return plan.known_value(([*values][-1], 'value')), (
                steps.call_count)

    def test_value_that_is_read_twice_is_found_once(self):
        for count in (10, 40, 80):
            self.assertEqual((['x'], count), self.find_last(chain(
                count, lambda before: {'str_replace': {
                    'template': 'A', 'params': {'A': before, 'B': before}}})))

    def test_values_that_refer_to_all_before_are_found_once(self):
        _, steps = self.find_last({
            f'v{number}': {'list_join': ['', [{'str_replace': {
                'template': '1', 'params': {'2': attribute(each)}}}
                for each in range(number)]]} for number in range(60)})
        self.assertEqual(60, steps)

    def test_long_chain_needs_no_recursion(self):
        self.assertEqual((['x'], 1000), self.find_last(chain(
            1000, lambda before: before)))

    def test_functions_of_a_value_can_be_resolved_after_other_values(self):
        values = {'v0': 'x', 'v1': attribute(0)}
        for order in ((0, 1), (1, 0), (1, 1)):
            found, _ = self.find_last({**values, 'v2': {'list_join': [
                '-', [attribute(number) for number in order]]}})
            self.assertEqual(['x-x'], found, order)

    def test_exceeded_recursion_limit_is_no_unknown_value(self):
        plan = make_plan(chain(2, lambda before: before))
        with mock.patch.object(known_attributes, '_value',
                               side_effect=RecursionError):
            self.assertRaises(RecursionError, plan.predict, 'v1')
