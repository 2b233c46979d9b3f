# SPDX-License-Identifier: Apache-2.0

"""Updates of generated trees make the changes that are predicted."""

import collections
import json
import pathlib

import fixtures
import hypothesis
from hypothesis import strategies as st

from tests.functional import base
from tests.fuzz import applied_changes
from tests.fuzz import case_count
from tests.fuzz import forbidden_changes
from tests.fuzz import trees
from tests.harness import environment
from tests.harness import waiting

PLUGINS = pathlib.Path(__file__).parent / 'plan_plugins'
_LOST = ('remove', 'replace')


class Predictions(fixtures.Fixture):
    """The plans that Heat writes to a directory."""

    def _setUp(self):
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.useFixture(environment.Environment(
            HEAT_EXTRAS_TEST_PLANS=self.directory))

    def take(self, stack_id):
        """Return the last plan of a stack, or None."""
        path = self.directory / stack_id
        if not path.exists():
            return None
        predictions = json.loads(path.read_text())
        path.unlink()
        return predictions


class OnTrees(base.TestCase):
    """Update one tree after another."""

    is_shared = False
    engine = ''
    features = 'update_policy, parameters, health'
    limits, start_states = '', ('CREATE_COMPLETE',)

    @classmethod
    def setUpClass(cls):
        cls.predictions = cls.use_in_class(Predictions())
        cls.settings = (cls.engine or '[DEFAULT]\n') + (
            f'plugin_dirs = {PLUGINS}\n{cls.limits}'
            f'[heat_extras]\nfeatures = {cls.features}\n')
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.counts, self.number = collections.Counter(), 0

    def create(self, tree):
        """Create a tree; return its path, or None after a failure."""
        self.number += 1
        name = f't{self.number}'
        answer = self.client.post('/stacks', dict(
            trees.body(tree), stack_name=name))
        self.counts[f'create {answer.status_code}'] += 1
        if answer.status_code != 201:
            return None
        path = f'/stacks/{name}/{answer.json()["stack"]["id"]}'
        status = self.client.wait_for_end(path)
        self.counts[status['stack_status']] += 1
        if status['stack_status'] in self.start_states:
            self.wait_for_nested(name)
            return path
        self.client.delete(path)
        return None

    def wait_for_nested(self, name):
        """Wait until no stack of a tree is in progress, after a failure."""
        waiting.until('the end in nested stacks', lambda: self.sandbox.sql(
            "SELECT name FROM stack WHERE status = 'IN_PROGRESS' "
            'AND deleted_at IS NULL AND name LIKE ?', f'{name}-%'),
            lambda rows: not rows)

    def update(self, path, tree, disable_rollback=True):
        """Update a tree; return its stack, or a response that rejects it."""
        answer = waiting.until(
            'the operation before', lambda: self.client.put(
                path, dict(trees.body(tree),
                           disable_rollback=disable_rollback)),
            lambda value: 'ActionInProgress' not in value.text)
        self.told = answer.text
        self.counts[f'update {answer.status_code}'] += 1
        if answer.status_code != 202:
            return answer
        stack = self.client.wait_for_end(path)
        self.counts[stack['stack_status']] += 1
        self.told = stack['stack_status_reason']
        return stack

    def picture(self, path):
        return applied_changes.TreeState(self.sandbox, path.split('/')[3])

    def mark(self, path, numbers):
        """Mark resources, anywhere in the tree."""
        picture = self.picture(path)
        rows = sorted(picture.rows.values(), key=picture.path)
        for number in numbers[:len(rows)]:
            row = rows[number % len(rows)]
            stack = self.client.get('/stacks/' + row['stack']).json()['stack']
            self.client.patch(
                f'/stacks/{stack["stack_name"]}/{row["stack"]}/resources/'
                + row['name'], {'mark_unhealthy': True})

    def compare(self, plan, before, after, is_complete):
        """Return the wrong entries of the plan."""
        wrong = []
        for entry in plan:
            row = before.rows.get(entry['uuid'])
            if row is None:
                # The row remains from a failed update.
                continue
            fact = applied_changes.find_change(before, after, row)
            predicted = entry['action'] if entry['is_certain'] else 'uncertain'
            self.counts[f'{predicted}: {fact}'] += 1
            if is_wrong(predicted, fact, is_complete):
                wrong.append((entry, fact))
        return wrong


def is_wrong(predicted, fact, is_complete):
    """Return whether a prediction was wrong."""
    if predicted == 'keep':
        return fact in (applied_changes.CHANGED, applied_changes.LOST)
    if not is_complete:
        return False
    if predicted in _LOST:
        return fact != applied_changes.LOST
    return predicted == 'update' and fact in (applied_changes.KEPT,
                                              applied_changes.LOST)


class PredictionTest(OnTrees):

    @case_count.cases(1)
    @hypothesis.given(trees.cases())
    def test_certain_predictions_come_true(self, case):
        (tree, _), *updates = case
        path = self.create(tree)
        if path is None:
            return
        for tree, marks in updates:
            self.check(path, tree, marks)
        self.client.delete(path)

    def check(self, path, tree, marks):
        self.mark(path, marks)
        before = self.picture(path)
        stack = self.update(path, tree)
        plan = self.predictions.take(path.split('/')[3])
        if not isinstance(stack, dict):
            return
        self.assertEqual([], self.compare(
            plan, before, self.picture(path),
            stack['stack_status'] == 'UPDATE_COMPLETE'), trees.body(tree))


class GuardTest(OnTrees):
    """Updates of trees with policies and immutable parameters."""

    @case_count.cases(1)
    @hypothesis.given(trees.cases(guards=True),
                      st.sampled_from(['again', 'back', 'roll back']))
    def test_guarded_resources_are_not_changed(self, case, second_step):
        (tree, _), *updates = case
        self.second_step = second_step
        path = self.create(tree)
        if path is None:
            return
        for after, marks in updates:
            self.mark(path, marks)
            if not self.check(path, tree, after, marks):
                break
            tree = after
        self.client.delete(path)

    def check(self, path, tree, after, marks):
        """Return whether the update was complete."""
        before = self.picture(path)
        if self.second_step == 'roll back' and not marks:
            return self.roll_back(path, tree, after, before)
        stack = self.update(path, after)
        now = self.picture(path)
        if not isinstance(stack, dict):
            self.assertEqual(before.everything(), now.everything(), self.told)
            return self.is_usable(path, tree, marks)
        reason = stack['stack_status_reason']
        if 'nothing was changed' in reason:
            self.counts['refused'] += 1
            self.assertEqual(before.everything(), now.everything(), reason)
            return self.is_usable(path, tree, marks)
        is_complete = stack['stack_status'] == 'UPDATE_COMPLETE'
        is_late = 'Not done' in reason or 'immutable' in reason
        if not is_complete:
            self.counts['late' if is_late else 'failed'] += 1
        self.assertEqual([], self.lost(tree, after, before, now),
                         trees.body(after))
        if is_late and not marks:
            self.check_second_step(path, tree, after, before, now)
        return is_complete

    def check_second_step(self, path, tree, after, before, now):
        """Check that the step after a late refusal finds each resource."""
        self.counts[self.second_step] += 1
        self.update(path, tree if self.second_step == 'back' else after)
        if (self.second_step == 'back'
                and self.is_guarded_unchanged(tree, after, before, now)):
            self.assertEqual('Stack UPDATE completed successfully',
                             self.told, trees.body(tree))
        self.assertEqual([], self.lost(tree, after, before,
                                       self.picture(path)),
                         (self.second_step, self.told, trees.body(after)))

    def roll_back(self, path, tree, after, before):
        """Check that an update keeps the resources if it is rolled back."""
        self.update(path, after, disable_rollback=False)
        stack = waiting.last(
            lambda: self.client.wait_for_end(path),
            lambda value: value['stack_status'] != 'UPDATE_FAILED'
            or 'nothing was changed' in value['stack_status_reason'], 5)
        self.counts[stack['stack_status']] += 1
        self.assertNotIn('can only restore', stack['stack_status_reason'])
        if stack['stack_status'] == 'UPDATE_COMPLETE':
            tree = after
        self.assertEqual([], self.lost(tree, after, before,
                                       self.picture(path)),
                         (self.told, trees.body(after)))
        return False

    def is_guarded_unchanged(self, tree, after, before, now):
        """Return whether an update has changed nothing with a policy."""
        return now.rows.keys() <= before.rows.keys() and all(
            applied_changes.find_change(before, now, row)
            == applied_changes.KEPT or not forbidden_changes.has_policy(
                before.path(row), tree, after)
            for row in before.rows.values() if not before.is_nested(row))

    def is_usable(self, path, tree, marks):
        """After a rejection, update a stack with its current tree."""
        # An unhealthy guarded resource makes each update fail.
        if not marks:
            self.update(path, tree)
            self.assertEqual('Stack UPDATE completed successfully', self.told)
        return False

    def lost(self, tree, after, before, now):
        """Return the guarded resources that changed."""
        lost_rows = []
        for row in before.rows.values():
            where = before.path(row)
            acts = forbidden_changes.forbidden(where, tree, after)
            fact = applied_changes.find_change(before, now, row)
            if ('replace' in acts and fact == applied_changes.LOST
                    or 'update' in acts and fact == applied_changes.CHANGED):
                lost_rows.append((where, fact))
            self.counts['guarded'] += bool(acts)
        return lost_rows


class PredictionLegacyTest(PredictionTest):

    engine = base.LEGACY


class GuardLegacyTest(GuardTest):

    engine = base.LEGACY
