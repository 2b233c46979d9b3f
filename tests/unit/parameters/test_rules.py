# SPDX-License-Identifier: Apache-2.0

import math

import testtools

from heat_extras.parameters import rules

NAN = float('nan')


def reading(value, **fields):
    return rules.ParameterState('json', value=value, **fields)


class IsUpdatableTest(testtools.TestCase):
    def test_parameter_is_updatable_by_default(self):
        self.assertTrue(rules.is_updatable('p', {'type': 'string'}))

    def test_updatable_false_or_immutable_true_restricts(self):
        self.assertFalse(rules.is_updatable('p', {'updatable': False}))
        self.assertFalse(rules.is_updatable('p', {'immutable': True}))

    def test_consistent_updatable_and_immutable_are_allowed(self):
        for updatable in (True, False):
            self.assertEqual(updatable, rules.is_updatable('p', {
                'updatable': updatable, 'immutable': not updatable}))

    def test_contradiction_names_parameter_and_both_values(self):
        for value in (True, False):
            error = self.assertRaises(
                rules.FlagError, rules.is_updatable, 'p',
                {'updatable': value, 'immutable': value})
            self.assertIn('parameter p:', str(error))
            shown = str(value).lower()
            self.assertIn(f'updatable: {shown} and immutable: {shown} '
                          'contradict each other', str(error))

    def test_contradiction_shows_immutable_as_written(self):
        error = self.assertRaises(
            rules.FlagError, rules.is_updatable, 'p',
            {'updatable': True, 'immutable': 'false'})
        self.assertIn("updatable: true and immutable: 'false' contradict",
                      str(error))

    def test_updatable_that_is_not_boolean_is_rejected(self):
        for value, shown in (
                ('maybe', 'maybe'), ('false', "'false'"), ('true', "'true'"),
                ('', "''"), (None, 'null'), (0, '0'), ([], '[]'),
                ({}, '{}')):
            error = self.assertRaises(
                rules.FlagError, rules.is_updatable, 'p',
                {'updatable': value})
            self.assertIn(f'parameter p: updatable: {shown} is not valid: it '
                          'must be true or false, without quotes', str(error))

    def test_any_value_of_immutable_is_accepted(self):
        # Heat accepts any value for immutable and reads "false" as true.
        self.assertFalse(rules.is_updatable('p', {'immutable': 'false'}))
        self.assertTrue(rules.is_updatable('p', {'immutable': None}))


class ComparisonTest(testtools.TestCase):
    def test_equal_values_are_same(self):
        for first, other in ((1, 1.0), (
            'a', 'a'), (NAN, math.nan), ([1, {'a': 2}], [1.0, {'a': 2.0}]),
                             ({'a': 1, 'b': None}, {'b': None, 'a': 1})):
            self.assertTrue(rules.is_same(first, other), (first, other))

    def test_different_values_are_not_same(self):
        for first, other in ((1, True), (0, False), (False, None), (
            1, '1'), ([1], [True]), ([1, 2], [2, 1]), ([1], [1, 1]), ({
                'a': 1}, {'a': 1, 'b': None}), ({}, []), ('', None), (NAN, 1)):
            self.assertFalse(rules.is_same(first, other), (first, other))
            self.assertFalse(rules.is_same(other, first), (other, first))

    def test_changed_type_is_a_change(self):
        first = rules.ParameterState('string', value='3')
        self.assertTrue(rules.is_changed(
            first, rules.ParameterState('number', value='3')))
        # The template formats have different names for the same type.
        self.assertFalse(rules.is_changed(
            first, rules.ParameterState('String', value='3')))

    def test_missing_or_unknown_value_is_not_a_change(self):
        for state in (rules.ValueState.MISSING, rules.ValueState.UNKNOWN):
            self.assertFalse(rules.is_changed(
                reading(1), reading(None, state=state)))
            self.assertFalse(rules.is_changed(
                reading(None, state=state), reading(1)))

    def test_invalid_value_is_a_change(self):
        self.assertTrue(rules.is_changed(
            reading(1), reading(None, state=rules.ValueState.INVALID)))

    def test_rollback_uses_updatable_of_current_template(self):
        for updatable, new, answer in (
                (False, reading(2), rules.Decision.REJECTED),
                (False, reading(1), rules.Decision.ALLOWED),
                # A parameter that the failed update added.
                (False, None, rules.Decision.ALLOWED),
                (True, reading(2, updatable=False), rules.Decision.ALLOWED)):
            self.assertEqual(answer, rules.decide(
                reading(1, updatable=updatable), new, rules.TWO_STEP,
                rules.Operation.ROLLBACK))

    def test_repr_of_parameter_state_has_no_value(self):
        self.assertNotIn('secret', repr(reading('secret')))
