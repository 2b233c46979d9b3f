# SPDX-License-Identifier: Apache-2.0

"""Tests of the reviewed plan in a request."""

import json

import testtools

from heat_extras.plan import reviewed_request

SOURCE = {'revision': 'r', 'salt': 's', 'hidden_parameters': {'p': 'd'},
          'digest': 'd', 'seal': 'l'}
VALID = {**SOURCE, 'changes': []}


def entry(path, action, certainty='will', **more):
    return {'path': path, 'action': action, 'certainty': certainty, **more}


def others(path):
    return entry(path, 'added', 'unknown', placeholder='others')


def make(*changes):
    return reviewed_request.parse({**VALID, 'changes': list(changes)})


class MakeTest(testtools.TestCase):

    PLAN = [entry('a', 'added', placeholder=None, values=[{'before': 1}]),
            entry('b', 'unchanged')]

    def test_field_has_changes_and_digest_of_plan_and_stops(self):
        made = reviewed_request.make(SOURCE, self.PLAN, [])
        self.assertEqual([entry('a', 'added', placeholder=None)],
                         made['changes'])
        for plan, stops in (
                (self.PLAN, [{'type': 'StackLocked'}]), (self.PLAN[:1], []),
                ([entry('a', 'added', placeholder=None,
                        values=[{'before': 1.0}]), self.PLAN[1]], [])):
            self.assertNotEqual(
                made['digest'],
                reviewed_request.make(SOURCE, plan, stops)['digest'])


class WithoutHiddenTest(testtools.TestCase):

    def test_environment_file_without_hidden_value_is_kept(self):
        for text, expected in (
                ('{"parameters":  {"size": 1}}', None), ('{}', None),
                ('{"parameters": null}', None),
                ('{"parameters": {"key": 1, "size": 2}}',
                 '{"parameters": {"size": 2}}'),
                ('{"parameter_defaults": {"key": 1}, "event_sinks": []}',
                 '{"parameter_defaults": {}, "event_sinks": []}')):
            self.assertEqual(
                expected or text, reviewed_request.without_hidden_in_file(
                    text, {'key'}, json.loads))

    def test_section_can_be_left_as_it_is(self):
        values = {'key': 1, 'size': 2}
        self.assertEqual(
            {'parameters': {'size': 2}, 'parameter_defaults': values},
            reviewed_request.without_hidden(
                {'parameters': values, 'parameter_defaults': values},
                {'key'}, ('parameters',)))


class ParseTest(testtools.TestCase):

    def test_valid_plan_is_parsed(self):
        request = make(entry('a', 'added'), entry('b', 'replaced', 'may'),
                       others('g/(others)'))
        self.assertEqual(
            ('r', 's', {'p': 'd'},
             {('a', None): ('added', 'will'),
              ('b', None): ('replaced', 'may'),
              ('g', 'others'): ('added', 'unknown')}),
            (request.revision, request.salt, request.hidden, request.changes))

    def test_invalid_plan_is_rejected_with_path(self):
        for value, text in (
                (None, 'Invalid plan: it must be an object'),
                ([], 'Invalid plan: it must be an object'),
                ({}, 'it must have the keys revision, salt, '),
                ({**VALID, 'more': 1}, 'and no others'),
                ({'revision': 'r', 'salt': 's', 'hidden_parameters': {},
                  'changes': []}, 'it has no seal, because an older version'),
                ({**VALID, 'salt': 1}, 'plan.salt: it must be a string'),
                ({**VALID, 'seal': []}, 'plan.seal: it must be a string'),
                ({**VALID, 'hidden_parameters': []},
                 'plan.hidden_parameters: it must be an object'),
                ({**VALID, 'hidden_parameters': {'p': None}},
                 'plan.hidden_parameters.p: it must be a string'),
                ({**VALID, 'changes': {}}, 'plan.changes: it must be a list'),
                ({**VALID, 'changes': [entry('a', 'added'), 'x']},
                 'plan.changes[1]: it must be an object'),
                ({**VALID, 'changes': [{**entry('a', 'added'), 'x': 1}]},
                 'plan.changes[0]: it must have the keys path, action, '),
                ({**VALID, 'changes': [entry(1, 'added')]},
                 'plan.changes[0].path: it must be a string'),
                ({**VALID, 'changes': [entry('a', 'added', placeholder='x')]},
                 'plan.changes[0].placeholder: it must be one of new, '
                 'others, null'),
                ({**VALID, 'changes': [entry('a', ['added'])]},
                 'plan.changes[0].action: it must be one of unchanged, '),
                ({**VALID, 'changes': [entry('a', 'added', 'perhaps')]},
                 'plan.changes[0].certainty: it must be one of will, may')):
            error = self.assertRaises(ValueError, reviewed_request.parse,
                                      value)
            self.assertIn(text, str(error))


class CompareTest(testtools.TestCase):
    """Compare a new plan with the reviewed plan."""

    ACTIONS = reviewed_request.ACTIONS

    def is_same(self, reviewed, again):
        return not make(*reviewed).list_differences(list(again))

    def test_certain_action_may_only_become_unchanged(self):
        for reviewed in self.ACTIONS:
            for again in self.ACTIONS:
                for certainty in ('will', 'may'):
                    self.assertEqual(
                        again in ('unchanged', reviewed), self.is_same(
                            [entry('a', reviewed)],
                            [entry('a', again, certainty)]))

    def test_possible_action_may_become_lesser_action(self):
        for reviewed, lesser in (
                ('replaced', {'updated'}), ('updated', set()),
                ('removed', {'updated', 'replaced'}), ('added', set())):
            for again in self.ACTIONS:
                self.assertEqual(
                    again in {'unchanged', reviewed, *lesser}, self.is_same(
                        [entry('a', reviewed, 'may')], [entry('a', again)]))

    def test_unknown_action_may_become_any_action(self):
        for again in self.ACTIONS:
            self.assertTrue(self.is_same([entry('a', 'added', 'unknown')],
                                         [entry('a', again, 'unknown')]))

    def test_known_action_may_not_become_unknown(self):
        for reviewed in self.ACTIONS:
            for certainty in ('will', 'may'):
                self.assertFalse(self.is_same(
                    [entry('a', reviewed, certainty)],
                    [entry('a', 'unchanged', 'unknown')]))

    def test_resource_not_in_plan_must_be_unchanged(self):
        self.assertTrue(self.is_same([], [entry('a', 'unchanged')]))
        self.assertEqual(
            ['a may be updated (in the plan: will be unchanged)'],
            make().list_differences([entry('a', 'updated', 'may')]))

    def test_others_entry_covers_direct_members_of_group(self):
        reviewed = [others('g/(others)')]
        self.assertTrue(self.is_same(reviewed, reviewed))
        self.assertTrue(self.is_same(reviewed, [entry('g/x', 'added')]))
        self.assertFalse(self.is_same(reviewed, [entry('h/x', 'added')]))
        self.assertFalse(self.is_same(reviewed, [entry('g/x/y', 'added')]))

    def test_resource_with_name_of_placeholder_is_resource(self):
        reviewed = [entry('g/(others)', 'replaced', 'unknown')]
        self.assertFalse(self.is_same(reviewed, [entry('g/x', 'replaced')]))
        self.assertTrue(self.is_same(reviewed, [
            entry('g/(others)', 'replaced', 'unknown')]))
        both = [*reviewed, others('g/(others)')]
        self.assertTrue(self.is_same(both, [entry('g/x', 'replaced')]))
        new = [entry('g/(new 1)', 'added', placeholder='new')]
        self.assertTrue(self.is_same(new, new))
        self.assertFalse(self.is_same(new, [entry('g/(new 1)', 'added')]))


class ReplaceableTest(testtools.TestCase):

    def test_replaceable_are_destroyed_or_unknown_resources(self):
        self.assertEqual(
            ['g/(others)', 'may', 'removed', 'replaced', 'unknown'],
            make(entry('replaced', 'replaced'), entry('removed', 'removed'),
                 entry('may', 'replaced', 'may'),
                 entry('unknown', 'unchanged', 'unknown'),
                 entry('added', 'added'), entry('updated', 'updated', 'may'),
                 entry('g/(others)', 'replaced'),
                 others('h/(others)')).list_replaceable())

    def test_stacks_with_unknown_resources_are_listed(self):
        self.assertEqual(['a/b', 'h'], make(
            entry('g/(others)', 'replaced'), others('h/(others)'),
            others('a/b/(others)')).list_unknown_stacks())
