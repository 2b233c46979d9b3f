# SPDX-License-Identifier: Apache-2.0

"""Tests of the rules of an update policy."""

import testtools

from heat_extras.plan import change
from heat_extras.update_policy import rules


class CombineAllowTest(testtools.TestCase):

    def test_combined_allow_has_restrictions_of_both(self):
        first = rules.Allow(update=True, replace=False)
        self.assertEqual(first, rules.combine_allow(first, rules.Allow()))
        self.assertEqual(rules.Allow(update=False, replace=False),
                         rules.combine_allow(first, rules.Allow(update=False)))
        self.assertEqual(rules.Allow(replace=False),
                         rules.combine_allow(rules.Allow(), rules.Allow(
                             update=True, replace=False)))


class ParseTest(testtools.TestCase):

    def test_empty_allow_is_no_policy(self):
        self.assertEqual(rules.Allow(), rules.parse_allow({}))

    def test_booleans_are_parsed(self):
        self.assertEqual(
            rules.Allow(update=True, replace=False),
            rules.parse_allow({'update': True, 'replace': False}))

    def test_non_boolean_is_rejected_and_not_shown(self):
        for value in ('true', 'secret', 7321, 73.21, None, [], {}):
            error = self.assertRaises(rules.RuleError, rules.parse_allow,
                                      {'replace': value})
            self.assertEqual(['replace'], error.path)
            self.assertIn('must be true or false, without quotes', str(error))
            for text in ('secret', '73'):
                self.assertNotIn(text, str(error))

    def test_allow_that_is_not_a_map_is_rejected(self):
        for value in (None, True, [], 'secret'):
            error = self.assertRaises(rules.RuleError, rules.parse_allow,
                                      value)
            self.assertIn('must be a map', str(error))
            self.assertNotIn('secret', str(error))

    def test_only_literals_of_template_are_shown(self):
        error = self.assertRaises(
            rules.RuleError, rules.parse_allow, {'b': 1, 'a': 1, 'secret': 1},
            {'b': 1, 'a': 1})
        self.assertEqual('has the unknown key "a", "b": the allowed keys are '
                         '"update" and "replace"', str(error))
        error = self.assertRaises(rules.RuleError, rules.parse_allow,
                                  {'update': 'maybe'}, {'update': 'maybe'})
        self.assertIn('is maybe, but must be', str(error))
        error = self.assertRaises(rules.RuleError, rules.parse_allow,
                                  {'update': None}, {'replace': True})
        self.assertNotIn('null', str(error))

    def test_unknown_key_is_rejected_and_not_shown(self):
        error = self.assertRaises(rules.RuleError, rules.parse_allow,
                                  {'secret': False, 'update': True, 1: 2})
        self.assertIn('the allowed keys are "update" and '
                      '"replace"', str(error))
        self.assertNotIn('secret', str(error))


class PolicyTest(testtools.TestCase):

    def test_policy_forbids_actions_of_its_keys(self):
        frozen = rules.Policy(update='a')
        self.assertEqual('a', frozen.forbids(change.UPDATE))
        self.assertIsNone(frozen.forbids(change.REPLACE))
        kept = rules.Policy(replace='b')
        self.assertIsNone(kept.forbids(change.UPDATE))
        for act in (change.REPLACE, change.REMOVE):
            self.assertEqual('b', kept.forbids(act))
        for policy in (frozen, kept):
            self.assertIsNone(policy.forbids(change.UNCHANGED))

    def test_outermost_false_applies_to_nested_resources(self):
        outer = rules.restrict_policy(rules.UNRESTRICTED,
                                      rules.Allow(replace=False), 'a')
        inner = rules.restrict_policy(outer, rules.Allow(False, False), 'a/b')
        self.assertEqual(rules.Policy(update='a/b', replace='a'), inner)
        self.assertEqual(outer,
                         rules.restrict_policy(outer, rules.Allow(), 'a/b'))
        self.assertEqual(outer, rules.restrict_policy(
            outer, rules.Allow(replace=True), 'a/b'))

    def test_only_explicit_true_is_a_conflict(self):
        outer = rules.Policy(replace='a')
        self.assertEqual(['replace'], rules.find_conflicts(
            outer, rules.Allow(update=True, replace=True)))
        for allow in (rules.Allow(), rules.Allow(replace=False),
                      rules.Allow(update=True)):
            self.assertEqual([], rules.find_conflicts(outer, allow))
