# SPDX-License-Identifier: Apache-2.0

"""Tests that plans match updates, for tables of updates."""

from concurrent import futures
import copy
from unittest import mock

import testtools
from testtools import content

from tests.functional import actual_changes
from tests.functional import base
from tests.functional import plan_cases
from tests.functional import plan_group_cases
from tests.functional import plan_part_cases
from tests.functional import plan_state_cases
from tests.functional import plan_template_cases
from tests.functional import plan_type_cases
from tests.functional import plan_value_cases
from tests.functional import test_health_groups

_AT_ONCE = 6
_PLUGINS = f'plugin_dirs = {test_health_groups.PLUGINS}\n'


class Comparison(actual_changes.PlanTestCase):
    """Compare the plan and the update of each case of a table."""

    cases = {}

    def outcomes(self):
        """Return an :class:`actual_changes.Outcome` for each case."""
        with futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            running = {name: pool.submit(self.update_and_compare, name,
                                         *copy.deepcopy(make())) for name,
                       make in self.cases.items()}
        outcomes = {name: each.result() for name, each in running.items()}
        self.addDetail('figures', content.text_content(
            actual_changes.figures(outcomes.values())))
        return outcomes

    def wrong(self, outcomes):
        """Return the mistakes, and results less certain than possible."""
        sentences = {name: [*each.mistakes, *actual_changes.miscounts(
            each.plan), *actual_changes.surprises(each.plan, self.uncertain(
                self.cases[name]))] for name, each in outcomes.items()}
        return {name: each for name, each in sentences.items() if each}

    def uncertain(self, case):
        return case.uncertain | (case.legacy if base.LEGACY in (
            self.settings or '') else {})


class AccuracyTest(Comparison):

    settings = None
    cases = plan_cases.CASES

    def test_plans_match_updates(self):
        outcomes = self.outcomes()
        self.assertEqual({}, self.wrong(outcomes))
        self.assertGreater(sum(len(each.heats_mistakes)
                               for each in outcomes.values()), 0)


class TypesTest(AccuracyTest):
    cases = plan_type_cases.CASES


class GroupsTest(AccuracyTest):
    settings = '[DEFAULT]\n' + _PLUGINS
    cases = plan_group_cases.CASES


class ValuesTest(AccuracyTest):
    cases = plan_value_cases.CASES | plan_part_cases.CASES


class StatesTest(GroupsTest):
    cases = plan_state_cases.CASES

    def test_plan_during_update_matches(self):
        before, first, after = plan_state_cases.during_an_update()
        path = self.create('during-an-update', before)
        self.assertEqual(202, self.client.put(path, first).status_code)
        for name in ('slow', 'fails', 'nested'):
            self.client.wait_for_resource(path, name, 'UPDATE_IN_PROGRESS')
        tree = self.read_tree(path)
        plan = self.preview(path, after)['plan']
        self.assertEqual(202, self.client.put(path, after).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.surprises(plan, {
            'nested': 'updated', **dict.fromkeys(
                ('slow', 'fails', 'nested/slow'), 'replaced'),
            'after': 'updated', 'later': 'added'}))
        self.assertEqual([], actual_changes.Outcome(
            plan, None, tree, self.read_tree(path)).mistakes)

    def test_plan_during_creation_matches(self):
        before, after = plan_state_cases.during_a_creation()
        path = self.client.create_stack('during-a-creation', before.pop(
            'template'), wait=False, **before)
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        tree = self.read_tree(path)
        plan = self.preview(path, after)['plan']
        self.assertEqual(202, self.client.put(path, after).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.surprises(plan, {
            'kept': 'updated', **dict.fromkeys((
                'chain', 'chain/0', 'kept/slow', 'chain/0/slow'),
                'replaced')}))
        self.assertEqual([], actual_changes.Outcome(
            plan, None, tree, self.read_tree(path)).mistakes)

    def test_plan_during_update_of_member_matches(self):
        path = self.create('during-a-member',
                           plan_state_cases.of_a_scaling_group(3))
        members = [each.partition('/')[2]
                   for each in self.read_tree(path).found if '/' in each]
        engine, = self.sandbox.sql(
            'SELECT engine_id FROM service WHERE deleted_at IS NULL LIMIT 1')

        def set_status(status, engine_id):
            self.sandbox.sql(
                "UPDATE resource SET action = 'UPDATE', status = ?, "
                'engine_id = ? WHERE name = ?', status, engine_id,
                max(members))

        smaller = plan_state_cases.of_a_scaling_group(2)
        set_status('IN_PROGRESS', *engine)
        plan = self.preview(path, smaller)['plan']
        set_status('FAILED', None)
        tree = self.read_tree(path)
        self.assertEqual(202, self.client.put(path, smaller).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.Outcome(
            plan, None, tree, self.read_tree(path)).mistakes)


class TemplatesTest(AccuracyTest):
    cases = plan_template_cases.CASES


class AccuracyLegacyTest(AccuracyTest):
    settings = base.LEGACY


class TypesLegacyTest(TypesTest):
    settings = base.LEGACY


class GroupsLegacyTest(GroupsTest):
    settings = base.LEGACY + _PLUGINS


class ValuesLegacyTest(ValuesTest):
    settings = base.LEGACY


class StatesLegacyTest(GroupsLegacyTest):
    cases = {name: case for name, case in plan_state_cases.CASES.items()
             if 'killed' not in name and 'in_progress' not in name}


class TemplatesLegacyTest(TemplatesTest):
    settings = base.LEGACY


class FailedReplacementTest(actual_changes.PlanTestCase):

    settings = None
    order = 'create_before_delete'

    def test_order_of_replacement_after_failed_update(self):
        def body(value, fail=False):
            return plan_cases.body({'a': plan_cases.test(
                update_replace_value=value, fail=fail)})

        path = self.create('failed-replacement', body('one'))
        self.assertEqual(202, self.client.put(
            path, body('two', True)).status_code)
        self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        tree = self.read_tree(path)
        plan = self.preview(path, body('three'))['plan']
        self.assertEqual(202, self.client.put(
            path, body('three')).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([('replaced', self.order)], [
            (entry['action'], entry['order']) for entry in plan])
        self.assertEqual([], actual_changes.Outcome(
            plan, None, tree, self.read_tree(path)).mistakes)

    def test_plan_after_failed_creation_matches(self):
        def body(fail):
            return plan_cases.body({
                'a': plan_cases.test(fail=fail),
                'none': {'type': 'OS::Heat::None', 'depends_on': 'a'},
                'test': plan_cases.test(depends_on='a')})

        failing = body(True)
        path = self.client.create_stack('failed-creation', failing.pop(
            'template'), wait=False, **failing)
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        tree, after = self.read_tree(path), body(False)
        plan = self.preview(path, after)['plan']
        self.assertEqual(202, self.client.put(path, after).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.Outcome(
            plan, None, tree, self.read_tree(path)).mistakes)


class FailedReplacementLegacyTest(FailedReplacementTest):
    settings = base.LEGACY
    order = 'delete_before_create'


class WrongPlanTest(testtools.TestCase):
    """Tests that each mistake in a plan is found."""

    ACTIONS = ('unchanged', 'updated', 'replaced', 'removed', 'added')

    def mistakes(self, action, did, certainty='will', path='a'):
        plan = [{'path': path, 'action': action, 'certainty': certainty,
                 'reasons': []}]
        return actual_changes.mistakes(plan, {} if did is None else {'a': did})

    def test_certain_actions_must_match(self):
        for action in self.ACTIONS:
            for did in (*self.ACTIONS, None):
                self.assertEqual(
                    action == did, not self.mistakes(action, did),
                    (action, did))

    def test_possible_actions_allow_less_than_all(self):
        for action, did in (('updated', 'replaced'), ('replaced', 'removed'),
                            ('added', 'removed'), ('unchanged', 'updated')):
            self.assertNotEqual([], self.mistakes(action, did, 'may'))
        for action, did in (('updated', 'unchanged'), ('added', None),
                            ('replaced', 'updated')):
            self.assertEqual([], self.mistakes(action, did, 'may'))

    def test_resource_missing_in_plan_is_mistake(self):
        for did in self.ACTIONS:
            self.assertEqual(2, len(self.mistakes('updated', did, path='b')))

    def test_compare_finds_change_of_each_resource(self):
        class Read:
            def __init__(self, **rows):
                self.found = rows

        self.assertEqual(
            dict(zip('abcde', ('unchanged', 'updated', 'replaced', 'removed',
                               'added'), strict=True)),
            actual_changes.compare(
                Read(a=(1, 'x'), b=(1, 'x'), c=(1, 'x'), d=(1, 'x')),
                Read(a=(1, 'x'), b=(1, 'y'), c=(2, 'x'), e=(1, 'x'))))

    def test_mistakes_of_creation_are_found(self):
        created = mock.Mock(found={'a': None}, types={'a': 'x'})
        for path, resource_type, number in (
                ('a', 'x', 0), ('a', 'y', 1), ('b', 'x', 2)):
            self.assertEqual(number, len(actual_changes.mistakes_of_creation(
                [{'path': path, 'action': 'added', 'certainty': 'will',
                  'resource_type': resource_type}], created)))

    def test_wrong_order_of_replacement_is_found(self):
        def disorders(order, created, deleted):
            return actual_changes.disorders(
                [{'path': 'a', 'order': order}],
                mock.Mock(steps={'a': (1, set())}),
                mock.Mock(steps={'a': (created, {deleted})}),
                {'a': 'replaced'})

        for order, *events in (('create_before_delete', 2, 3),
                               ('delete_before_create', 3, 2)):
            self.assertEqual([], disorders(order, *events))
            self.assertEqual(1, len(disorders(order, *reversed(events))))

    def test_replacement_without_cause_is_found(self):
        def unexplained(kind, forces):
            return actual_changes.unexplained([{
                'path': 'a', 'action': 'replaced', 'certainty': 'will',
                'reasons': [{'kind': kind, 'forces_replacement': forces}]}])

        self.assertEqual(1, len(unexplained('property', False)))
        for right in (('property', True), ('nested_stack', None)):
            self.assertEqual([], unexplained(*right))

    def test_wrong_certainty_is_found(self):
        def entry(path, action, certainty):
            return {'path': path, 'action': action, 'certainty': certainty}

        plan = [entry('a', 'updated', 'will'), entry('g/1', 'added', 'may'),
                entry('g/x', 'removed', 'unknown')]
        right = {'g/1': 'added', 'g/[x]': 'unknown'}
        self.assertEqual([], actual_changes.surprises(plan, right))
        for wrong in ({}, {**right, 'a': 'updated'}, {'g/*': 'added'},
                      {**right, 'b': 'updated'}, {**right, 'g/1': 'updated'}):
            self.assertNotEqual([], actual_changes.surprises(plan, wrong),
                                wrong)

    def test_wrong_counts_are_found(self):
        plan = [{'path': name, 'action': action, 'certainty': certainty,
                 'stops': []} for name, action, certainty in (
            ('a', 'updated', 'will'), ('b', 'added', 'may'),
            ('c', 'removed', 'unknown'), ('d', 'unchanged', 'will'))]
        self.assertEqual([], actual_changes.miscounts(plan))
        with mock.patch.object(actual_changes.plan_tree, 'format_summary',
                               return_value='Plan: 2 to add, 1 to update; '
                               'possibly 1 to add; 1 unchanged, 1 unknown.'):
            self.assertEqual(1, len(actual_changes.miscounts(plan)))
