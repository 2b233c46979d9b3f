# SPDX-License-Identifier: Apache-2.0

"""Tests of updates with a reviewed plan."""

from concurrent import futures
import copy
import os
import uuid

from tests.functional import actual_changes
from tests.functional import base
from tests.functional import late_replacement
from tests.functional import plan_cases
from tests.harness import waiting

SECRET = 'hunter2-never-shown'


def reviewed(changes):
    """Return the plan of a request, from the answer to a preview."""
    return {**changes['plan_source'], 'changes': [
        {key: entry[key] for key in ('path', 'action', 'certainty',
                                     'placeholder')}
        for entry in changes['plan']
        if (entry['action'], entry['certainty']) != ('unchanged', 'will')]}


class PlannedUpdateCase(actual_changes.PlanTestCase):

    engine = ''

    @classmethod
    def setUpClass(cls):
        cls.settings = cls.engine + cls.write_plugin()
        super().setUpClass()

    @classmethod
    def write_plugin(cls):
        return late_replacement.write_plugin(cls)

    def start(self, name, case='nested_property'):
        before, self.after, *_ = copy.deepcopy(plan_cases.CASES[case]())
        return self.create(name, before)

    def apply(self, path, body, plan, status=202):
        answer = self.client.put(path, {**body, 'plan': plan})
        self.assertEqual(status, answer.status_code, answer.text)
        return answer.json()['error'] if status != 202 else None

    def assert_refused(self, path, body, plan, *texts):
        error = self.apply(path, body, plan, 409)
        self.assertEqual('PlanNotApplicable', error['type'])
        for text in (*texts, 'Nothing was changed.'):
            self.assertIn(text, error['message'])
        stack = self.client.get(path).json()['stack']
        self.assertNotIn('UPDATE_IN_PROGRESS', stack['stack_status'])

    def tree(self, path):
        """Return the IDs of the resources of a tree by path."""
        tree = actual_changes.Tree(self.sandbox, path.rpartition('/')[2]).found
        return {name: uuid for name, (uuid, _) in tree.items()}


class PlannedUpdateTest(PlannedUpdateCase):

    def test_plans_of_all_cases_can_be_applied(self):
        for name in ('nothing_changes', 'replaced_by_a_property',
                     'removed_and_added', 'nested_three_deep',
                     'scaling_group_grows', 'another_type',
                     'an_unknown_value_behind_a_replacing_property'):
            path = self.start('apply-' + name.replace('_', '-')[:40], name)
            plan = reviewed(self.preview(path, self.after))
            self.apply(path, self.after, plan)
            self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_plan_after_failed_creation_can_be_applied(self):
        def body(fail):
            inner = {'resources': {
                'a': plan_cases.test(), 'b': plan_cases.test(
                    fail=fail, depends_on='a'),
                'c': plan_cases.test(depends_on='b')}}
            member = {'type': 'm.yaml'}
            resources = {
                **inner['resources'], 'n': dict(member), 'late': {
                    **member, 'depends_on': 'n'}, 'g': {
                        'type': 'OS::Heat::ResourceGroup', 'properties': {
                            'count': 2, 'resource_def': member}},
                'late_group': {
                    'type': 'OS::Heat::ResourceGroup', 'depends_on': 'g',
                    'properties': {'count': 1, 'resource_def': member}}}
            resources['c']['update_policy'] = {'allow': {'replace': False}}
            return plan_cases.body(resources, {'m.yaml': inner})

        path = self.client.create_stack(
            'after-failed-creation', wait=False, **body(True))
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['CREATE_FAILED'])
        waiting.until('the end in nested stacks', lambda: self.sandbox.sql(
            "SELECT name FROM stack WHERE status = 'IN_PROGRESS' "
            "AND name LIKE 'after-failed-creation%'"), lambda rows: not rows)
        tree = self.read_tree(path)
        changes = self.preview(path, body(False))
        self.apply(path, body(False), reviewed(changes))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.Outcome(
            changes['plan'], None, tree, self.read_tree(path)).mistakes)

    def test_plan_is_rejected_after_update_of_stack(self):
        path = self.start('meanwhile')
        changes = self.preview(path, self.after)
        self.assertEqual(202, self.client.put(path, self.after).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assert_refused(path, self.after, reviewed(changes),
                            'was updated or locked after the plan was made')

    def test_plan_without_changes_can_be_applied_twice(self):
        before, _ = plan_cases.CASES['nested_property']()
        path = self.create('twice', before)

        def body(output):
            return {**before, 'tags': 'one', 'template': {
                **before['template'], 'outputs': {'o': {'value': output}}}}

        other, plan = (reviewed(self.preview(path, body(each)))
                       for each in ('other', 'one'))
        self.assertEqual([], plan['changes'])
        for _ in range(2):
            self.check(path, body('one'), plan)
            self.apply(path, body('one'), plan)
            self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        # It would undo the other update.
        self.check(path, body('other'), other, 409)
        self.assert_refused(path, body('other'), other,
                            'was updated or locked after the plan was made')
        # The stack differs from the plan again.
        self.mark(path, 'n/t')
        self.assert_refused(path, body('one'), plan, 'n/t will be replaced')

    def check(self, path, body, plan, status=200):
        """Check a plan without an update."""
        updated = self.client.get(path).json()['stack']['updated_time']
        answer = self.client.put(path + '/preview', {
            **body, 'plan': plan, 'converge': 'false with plan'})
        self.assertEqual(status, answer.status_code, answer.text)
        self.assertEqual(updated, self.client.get(path).json()['stack'][
            'updated_time'])

    def test_plan_is_rejected_after_scaling_of_group(self):
        group = {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 3, 'desired_capacity': 1,
            'resource': plan_cases.RANDOM}}
        policy = {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'adjustment_type': 'change_in_capacity', 'scaling_adjustment': 1,
            'auto_scaling_group_id': {'get_resource': 'g'}, 'cooldown': 0}}
        resources = {'g': group, 'p': policy, 'a': plan_cases.test()}
        path = self.create('scaled', plan_cases.body(resources))
        after = plan_cases.body({**resources, 'a': plan_cases.test('two')})
        changes = self.preview(path, after)
        self.assertEqual(200, self.client.post(
            path + '/resources/p/signal', {}).status_code)
        self.wait_for_members(path, 2)
        self.assert_refused(path, after, reviewed(changes),
                            'was updated or locked after the plan was made')

    def wait_for_members(self, path, number):
        waiting.until(
            f'{number} members of the group', lambda: [
                each['resource_status'] for each in self.client.get(
                    path + '/resources?nested_depth=1').json()['resources']
                if each.get('parent_resource') == 'g'],
            lambda states: states == ['CREATE_COMPLETE'] * number)

    def test_plan_is_rejected_after_resource_is_marked(self):
        path = self.start('marked')
        changes = self.preview(path, self.after)
        self.mark(path, 'n/t')
        self.assert_refused(
            path, self.after, reviewed(changes),
            'n/t will be replaced (in the plan: will be unchanged)')

    def test_plan_is_rejected_for_other_template(self):
        path = self.start('other')
        plan = reviewed(self.preview(path, self.after))
        body = copy.deepcopy(self.after)
        body['template']['resources']['more'] = plan_cases.test()
        self.assert_refused(path, body, plan, 'it was edited', '"request"')

    def test_fewer_changes_than_in_plan_are_accepted(self):
        before, after = plan_cases.CASES['nested_property']()
        path = self.create('fewer', before)
        self.mark(path, 'n/t')
        changes = self.preview(path, after)
        self.assertIn('replaced', [each['action'] for each in changes['plan']])
        kept = self.tree(path)['n/t']
        self.mark(path, 'n/t', False)
        self.apply(path, after, reviewed(changes))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual(kept, self.tree(path)['n/t'])

    def test_unplanned_replacement_fails_during_update(self):
        def body(value):
            late = {'type': late_replacement.TYPE,
                    'properties': {'value': {'get_param': 'p'}}}
            return plan_cases.body(
                {'n': {'type': 'm.yaml', 'properties': {'p': value}}},
                {'m.yaml': {'parameters': {'p': {'type': 'string'}},
                            'resources': {'kept': late}}})

        path = self.create('late', body('one'))
        before = self.tree(path)
        changes = self.preview(path, body('two'))
        self.assertEqual(['updated', 'updated'], [
            entry['action'] for entry in changes['plan']])
        self.apply(path, body('two'), reviewed(changes))
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        for text in ('resource n/kept (', ') would be replaced, but the '
                     'reviewed plan does not contain this'):
            self.assertIn(text, stack['stack_status_reason'])
        self.assertEqual(before['n/kept'], self.tree(path)['n/kept'])
        # Without a plan, the same update goes through.
        self.assertEqual(202, self.client.put(
            path, body('three')).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertNotEqual(before['n/kept'], self.tree(path)['n/kept'])

    def test_name_of_resource_is_no_placeholder(self):
        def body(value):
            return plan_cases.body({'n': {'type': 'm.yaml'}}, {'m.yaml': {
                'resources': {
                    '(others)': plan_cases.test(update_replace_value=value),
                    'kept': {'type': late_replacement.TYPE, 'properties': {
                        'value': value}}, 'precious': plan_cases.test()}}})

        path = self.create('others', body('one'))
        before = self.tree(path)
        plan = reviewed(self.preview(path, body('two')))
        self.apply(path, body('two'), plan)
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn('resource n/kept (', stack['stack_status_reason'])
        self.assertEqual(before['n/kept'], self.tree(path)['n/kept'])
        plan = reviewed(self.preview(path, body('three')))
        self.mark(path, 'n/precious')
        self.assert_refused(
            path, body('three'), plan, 'n/precious will be replaced (in the '
            'plan: will be unchanged)')

    def test_replacement_that_a_type_may_request_is_in_plan(self):
        def body(value):
            return plan_cases.body({'a': {
                'type': late_replacement.KNOWN_TYPE,
                'properties': {'value': value}}})

        path = self.create('known-late', body('one'))
        tree = self.read_tree(path)
        changes = self.preview(path, body('two'))
        entry, = changes['plan']
        self.assertEqual(('replaced', 'may'), (
            entry['action'], entry['certainty']))
        self.assertEqual(['property', 'type_decision'], [
            each['kind'] for each in entry['reasons']])
        self.apply(path, body('two'), reviewed(changes))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual([], actual_changes.Outcome(
            changes['plan'], None, tree, self.read_tree(path)).mistakes)

    def test_rollback_is_not_limited_by_plan(self):
        def body(value):
            return plan_cases.body({
                'a': {'type': late_replacement.TYPE,
                      'properties': {'value': value}},
                'b': plan_cases.test(value, depends_on='a')})

        path = self.create('restored', body('one'))
        changed = {**body('two'), 'disable_rollback': False}
        plan = reviewed(self.preview(path, changed))
        self.apply(path, changed, plan)
        # The status is UPDATE_FAILED for a moment.
        waiting.until('the end of the rollback', lambda: self.client.get(
            path).json()['stack']['stack_status'],
            lambda status: status.startswith('ROLLBACK_') and (
                status != 'ROLLBACK_IN_PROGRESS'))
        self.assertEqual('ROLLBACK_COMPLETE', self.client.get(
            path).json()['stack']['stack_status'])

    def test_hidden_parameters_are_compared(self):
        def body(value, **given):
            before = plan_cases.body({
                'a': plan_cases.test({'get_param': 'secret'}),
                'b': plan_cases.test(value)})
            before['template']['parameters'] = {
                'secret': {'type': 'string', 'hidden': True}}
            return {**before, 'parameters': given}

        path = self.create('hidden', body('one', secret=SECRET))
        changes = self.preview(path, body('two', secret=SECRET))
        self.assertNotIn(SECRET, str(changes['plan_source']))
        self.apply(path, body('two'), reviewed(changes))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        after = body('two', secret='other')
        plan = reviewed(self.preview(path, after))
        self.assert_refused(path, body('two'), plan,
                            'changes hidden parameter "secret"')
        self.assert_refused(path, body('two', secret='third'), plan,
                            'hidden parameter "secret" does not have the same')
        self.apply(path, after, plan)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])

    def test_parameter_that_current_template_hides_is_compared(self):
        def body(hidden, **given):
            before = plan_cases.body({
                'a': plan_cases.test({'get_param': 'secret'})})
            before['template']['parameters'] = {
                'secret': {'type': 'string', 'hidden': hidden}}
            return {**before, 'parameters': given}

        path = self.create('shown', body('y', secret=SECRET))
        after = body(False, secret='other')
        plan = reviewed(self.preview(path, after))
        self.assert_refused(path, body(False), plan,
                            'changes hidden parameter "secret"')
        plan = reviewed(self.preview(path, body(False, secret=SECRET)))
        self.apply(path, body(False), plan)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertEqual(SECRET, self.client.get(path).json()['stack'][
            'parameters']['secret'])

    def test_invalid_plans_are_rejected(self):
        path = self.start('invalid')
        plan = reviewed(self.preview(path, self.after))
        for value, text in (
                ('x', 'Invalid plan: it must be an object.'),
                ({}, 'Invalid plan: it must have the keys'),
                ({**plan, 'changes': [1]}, 'plan.changes[0]'),
                ({**plan, 'revision': 1}, 'plan.revision'),
                ({**plan, 'changes': [{'path': 'a', 'action': 'burnt',
                                       'certainty': 'will'}]},
                 'plan.changes[0].action')):
            error = self.apply(path, self.after, value, 400)
            self.assertEqual('InvalidPlan', error['type'])
            self.assertIn(text, error['message'])


class ConcurrentPlansTest(PlannedUpdateCase):

    def test_only_one_of_concurrent_plans_is_applied(self):
        path = self.create('at-once', self.body('before'))
        for _ in range(3):
            self.update_at_once(path)

    @staticmethod
    def body(value):
        return plan_cases.body({'a': plan_cases.test(value)})

    def update_at_once(self, path):
        bodies = [self.body(uuid.uuid4().hex) for _ in range(4)]
        plans = [reviewed(self.preview(path, each)) for each in bodies]
        with futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(
                lambda each, plan: self.client.put(
                    path, {**each, 'plan': plan}), bodies, plans))
        self.assertEqual([202, 409, 409, 409], sorted(
            each.status_code for each in answers))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])


class UnexpectedValueTest(PlannedUpdateCase):
    """The legacy engine keeps attributes in memory."""

    def test_update_fails_if_value_differs_from_plan(self):
        def body(value):
            slow = plan_cases.test(value, action_wait_secs={'update': 4})
            return plan_cases.body({
                'slow': slow,
                'source': plan_cases.test('one', depends_on='slow'),
                'kept': plan_cases.test(
                    update_replace_value=plan_cases.attr('source'))})

        path = self.create('otherwise', body('one'))
        before = self.tree(path)
        changes = self.preview(path, body('two'))
        self.assertEqual(
            ['unchanged', 'updated', 'unchanged'],
            [entry['action'] for entry in changes['plan']])
        self.apply(path, body('two'), reviewed(changes))
        self.sandbox.sql(
            "UPDATE resource_data SET value = 'other' WHERE resource_id IN "
            "(SELECT id FROM resource WHERE name = 'source' AND stack_id = ?)",
            path.rpartition('/')[2])
        stack = self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        self.assertIn('resource kept (OS::Heat::TestResource) would be '
                      'replaced, but the reviewed plan does not contain this',
                      stack['stack_status_reason'])
        self.assertEqual(before['kept'], self.tree(path)['kept'])
        # As the message says.
        changes = self.preview(path, body('two'))
        self.assertEqual('replaced', changes['plan'][0]['action'])
        self.apply(path, body('two'), reviewed(changes))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assertNotEqual(before['kept'], self.tree(path)['kept'])


class PlannedUpdateLegacyTest(PlannedUpdateTest):

    engine = base.LEGACY


# An update waits for the end of another update, after its plan is checked.
_WAIT_FOR_LOCK = """
import time

from heat.common import exception
from heat.engine import stack_lock

acquire = stack_lock.StackLock.acquire


def acquire_late(self, *args, **kwargs):
    for _ in range(200):
        try:
            return acquire(self, *args, **kwargs)
        except exception.ActionInProgress:
            time.sleep(0.1)


def resource_mapping():
    stack_lock.StackLock.acquire = acquire_late
    return {}
"""


class ConcurrentPlansLegacyTest(ConcurrentPlansTest):

    engine = base.LEGACY

    @classmethod
    def write_plugin(cls):
        path = cls.write_for_class('wait_for_lock.py', _WAIT_FOR_LOCK)
        return f'[DEFAULT]\nplugin_dirs = {os.path.dirname(path)}\n'
