# SPDX-License-Identifier: Apache-2.0

"""Tests of what an update policy means."""

import testtools

from heat_extras import sanitize
from heat_extras.update_plan import change
from heat_extras.update_policy import rules


class BothTest(testtools.TestCase):

    def test_what_either_forbids_is_forbidden(self):
        one = rules.Allow(update=True, replace=False)
        self.assertEqual(one, rules.both(one, rules.Allow()))
        self.assertEqual(rules.Allow(update=False, replace=False),
                         rules.both(one, rules.Allow(update=False)))
        self.assertEqual(rules.Allow(replace=False),
                         rules.both(rules.Allow(), rules.Allow(
                             update=True, replace=False)))


class ParseTest(testtools.TestCase):

    def test_nothing_written_is_no_policy(self):
        self.assertEqual(rules.Allow(), rules.parse({}))

    def test_booleans_are_read(self):
        self.assertEqual(
            rules.Allow(update=True, replace=False),
            rules.parse({'update': True, 'replace': False}))

    def test_booleans_in_quotes_are_refused_as_those_of_updatable_are(self):
        for found in ('true', 'False'):
            error = self.assertRaises(rules.RuleError, rules.parse,
                                      *[{'update': found}] * 2)
            self.assertIn(f'found {sanitize.as_written(found)}, wanted true '
                          'or false, without quotes', str(error))

    def test_what_is_no_map_is_refused(self):
        for found in (None, True, [], 'replace'):
            error = self.assertRaises(rules.RuleError, rules.parse, found)
            self.assertIn('wanted a map', str(error))

    def test_unknown_keys_are_named_where_the_template_has_them(self):
        found = {'delete': False, 'update': True, 1: 2}
        error = self.assertRaises(rules.RuleError, rules.parse, found, found)
        self.assertIn('1, delete', str(error))

    def test_unknown_keys_of_parameters_are_counted(self):
        for found, written, text in (
                ({'secret': False, 'update': True, 7: 2}, {'x': 1},
                 'found 2 unknown keys; wanted any of update and replace'),
                ({'secret': False, 7: 2}, {7: 2}, 'found 2 unknown keys'),
                ({'secret': False}, None, 'found 1 unknown key; wanted')):
            error = self.assertRaises(rules.RuleError, rules.parse, found,
                                      written)
            self.assertIn(text, str(error))
            self.assertNotIn('secret', str(error))

    def test_values_are_repeated_where_the_template_has_them(self):
        for value, shown in ((7321, '7321'), ('no way', 'no way'),
                             ('true', "'true'"), (None, 'nothing'),
                             ([1], 'a list'), ({'a': 1}, 'a map')):
            found = {'update': value}
            error = self.assertRaises(rules.RuleError, rules.parse, found,
                                      found)
            self.assertIn(f'found {shown}, wanted', str(error))
        for value, shown in (('nothing', 'nothing'), (True, 'true')):
            error = self.assertRaises(rules.RuleError, rules.parse, value,
                                      value)
            self.assertIn(f'found {shown}, wanted a map', str(error))

    def test_what_is_no_boolean_is_named_by_its_key_not_its_value(self):
        for found in ('secret', 7321, 73.21, None, [], {}):
            error = self.assertRaises(rules.RuleError, rules.parse,
                                      {'replace': found})
            self.assertEqual(['replace'], error.path)
            for text in ('secret', '73'):
                self.assertNotIn(text, str(error))

    def test_a_value_that_is_not_shown_says_why(self):
        for found, kind in (('secret', 'a text'), (7, 'a number'),
                            (0.5, 'a number')):
            error = self.assertRaises(rules.RuleError, rules.parse,
                                      {'replace': found})
            self.assertIn(f'found {kind} (not shown, as a parameter may be '
                          'hidden)', str(error))


class PolicyTest(testtools.TestCase):

    def test_a_policy_forbids_what_its_keys_stand_for(self):
        frozen = rules.Policy(update='a')
        self.assertEqual('a', frozen.forbids(change.UPDATE))
        self.assertIsNone(frozen.forbids(change.REPLACE))
        kept = rules.Policy(replace='b')
        self.assertIsNone(kept.forbids(change.UPDATE))
        for act in (change.REPLACE, change.REMOVE):
            self.assertEqual('b', kept.forbids(act))
        for policy in (frozen, kept):
            self.assertIsNone(policy.forbids(change.UNCHANGED))

    def test_the_outermost_false_holds_inside(self):
        outer = rules.restrict(rules.FREE, rules.Allow(replace=False), 'a')
        inner = rules.restrict(outer, rules.Allow(False, False), 'a/b')
        self.assertEqual(rules.Policy(update='a/b', replace='a'), inner)
        self.assertEqual(outer, rules.restrict(outer, rules.Allow(), 'a/b'))
        self.assertEqual(outer, rules.restrict(
            outer, rules.Allow(replace=True), 'a/b'))

    def test_only_a_written_true_is_a_conflict(self):
        outer = rules.Policy(replace='a')
        self.assertEqual(['replace'], rules.conflicts(
            outer, rules.Allow(update=True, replace=True)))
        for allow in (rules.Allow(), rules.Allow(replace=False),
                      rules.Allow(update=True)):
            self.assertEqual([], rules.conflicts(outer, allow))
