# SPDX-License-Identifier: Apache-2.0

"""Updates of generated trees make the changes that a preview plans."""

import json

import hypothesis
from hypothesis import strategies as st

from tests.functional import actual_changes
from tests.functional import base
from tests.fuzz import case_count
from tests.fuzz import planned_values
from tests.fuzz import test_update_plan
from tests.fuzz import trees

# Checks that Heat makes when it changes a nested stack.
_LATE = ('EntityNotFound', 'RequestLimitExceeded')


class PreviewTest(test_update_plan.OnTrees):
    """Generated cases, in addition to test_plan_accuracy."""

    features = 'plan, update_policy, parameters, health'
    limits = f'max_resources_per_stack = {trees.LIMIT}\n'
    start_states = ('CREATE_COMPLETE', 'CREATE_FAILED')

    def setUp(self):
        super().setUp()
        self.schemata = actual_changes.Schemata(self.client)

    @case_count.cases(1)
    @hypothesis.given(trees.cases(updates=2, failures=True),
                      st.sampled_from([None] * 9 + [0, 1]))
    def test_update_makes_planned_changes(self, case, deleted):
        (tree, _), *updates = self.prepare(case)
        path = self.create(tree)
        if path is None:
            return
        for number, (after, marks) in enumerate(updates):
            self.mark(path, marks)
            if number == deleted:
                self.delete_nested(path)
            if not self.check(path, after):
                break
        self.client.delete(path)

    def prepare(self, case):
        """Return the trees of a case with their marks."""
        return case

    def delete_nested(self, path):
        """Delete a nested stack by its own ID, if there is one."""
        picture = self.picture(path)
        rows = sorted(filter(picture.is_nested, picture.rows.values()),
                      key=picture.path)
        if rows:
            self.counts['deleted'] += 1
            stack = self.client.get('/stacks/' + rows[0]['physical']).json()[
                'stack']
            inner = f'/stacks/{stack["stack_name"]}/{stack["id"]}'
            self.client.delete(inner)
            self.client.wait_for_stack(inner, ['DELETE_COMPLETE'])

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
        if not isinstance(stack, dict):
            return False
        plan = preview.json()['resource_changes']['plan']
        stops = [stop for entry in plan for stop in entry['stops']]
        self.check_stops(stops, stack, after)
        if stack['stack_status'] != 'UPDATE_COMPLETE':
            return False
        self.counts.update(entry['certainty'] for entry in plan)
        now = self.read_tree(path)
        self.assertEqual([], [
            *actual_changes.mistakes(plan, actual_changes.compare_with(
                plan, before, now)),
            *actual_changes.miscounts(plan),
            *planned_values.wrong_values(plan, 'before', before),
            *planned_values.wrong_values(plan, 'after', now)],
            trees.body(after))
        return True

    def check_stops(self, stops, stack, after):
        """Check that an update fails as planned."""
        certain = [stop for stop in stops if stop['certainty'] == 'will']
        self.counts['certain stop'] += bool(certain)
        if certain:
            self.assertEqual('UPDATE_FAILED', stack['stack_status'],
                             (certain, trees.body(after)))
        for kind in _LATE:
            if f'{kind}:' in stack['stack_status_reason']:
                self.assertIn(kind, [stop['type'] for stop in stops],
                              trees.body(after))

    def read_tree(self, path):
        return actual_changes.Tree(self.sandbox, path.rpartition('/')[2],
                                   self.schemata)


class HiddenValuesTest(PreviewTest):
    """No plan contains a hidden value; the others are right."""

    def prepare(self, case):
        return [(planned_values.hide(each, number), marks)
                for number, (each, marks) in enumerate(case)]

    @case_count.cases(1)
    @hypothesis.given(trees.cases(updates=10))
    def test_no_preview_has_hidden_value(self, case):
        (tree, _), *updates = self.prepare(case)
        path = self.create(tree)
        if path is not None:
            for after, _ in updates:
                self.check_preview(path, after)
            self.client.delete(path)

    def check(self, path, after):
        self.check_preview(path, after)
        return super().check(path, after)

    def check_preview(self, path, after):
        preview = self.client.put(f'{path}/preview', trees.body(after))
        self.counts[f'preview {preview.status_code}'] += 1
        plan = json.loads(preview.text).get('resource_changes', {})
        values = json.dumps([plan.get('plan'), plan.get('plan_stops')])
        self.assertEqual([], planned_values.find_spellings(values, range(11)),
                         trees.body(after))
        self.counts['hidden'] += values.count('"hidden": true')
        self.counts['shown'] += values.count('"hidden": false')


class HiddenValuesLegacyTest(HiddenValuesTest):

    engine = base.LEGACY


class PreviewLegacyTest(PreviewTest):

    engine = base.LEGACY
