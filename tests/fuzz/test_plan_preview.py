# SPDX-License-Identifier: Apache-2.0

"""Updates of generated trees make the changes that a preview plans."""

import hypothesis

from tests.functional import actual_changes
from tests.functional import base
from tests.fuzz import case_count
from tests.fuzz import test_update_plan
from tests.fuzz import trees


class PreviewTest(test_update_plan.OnTrees):
    """Generated cases, in addition to test_plan_accuracy."""

    features = 'plan, update_policy, parameters, health'

    def setUp(self):
        super().setUp()
        self.schemata = actual_changes.Schemata(self.client)

    @case_count.cases(1)
    @hypothesis.given(trees.cases(updates=2))
    def test_update_makes_planned_changes(self, case):
        (tree, _), *updates = case
        path = self.create(tree)
        if path is None:
            return
        for after, marks in updates:
            self.mark(path, marks)
            if not self.check(path, after):
                break
        self.client.delete(path)

    def check(self, path, after):
        """Return whether the update was complete."""
        before = self.read_tree(path)
        preview = self.client.put(f'{path}/preview', trees.body(after))
        self.counts[f'preview {preview.status_code}'] += 1
        stack = self.update(path, after)
        if preview.status_code != 200:
            # An update that cannot be planned is rejected.
            self.assertNotIsInstance(stack, dict, preview.text)
            return False
        if not isinstance(stack, dict) or (
                stack['stack_status'] != 'UPDATE_COMPLETE'):
            return False
        plan = preview.json()['resource_changes']['plan']
        self.counts.update(entry['certainty'] for entry in plan)
        self.assertEqual([], [
            *actual_changes.mistakes(plan, actual_changes.compare_with(
                plan, before, self.read_tree(path))),
            *actual_changes.miscounts(plan)], trees.body(after))
        return True

    def read_tree(self, path):
        return actual_changes.Tree(self.sandbox, path.rpartition('/')[2],
                                   self.schemata)


class PreviewLegacyTest(PreviewTest):

    engine = base.LEGACY
