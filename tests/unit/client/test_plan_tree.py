# SPDX-License-Identifier: Apache-2.0

"""Tests of the output of a plan as a tree."""

import testtools

from heat_extras.client import plan_tree


def entry(path, action='unchanged', certainty='will', **more):
    return {'path': path, 'action': action, 'certainty': certainty,
            'resource_type': 'T', 'order': None, 'reasons': [], 'stops': [],
            **more}


STOP = {'type': 'StackLocked', 'certainty': 'will', 'when': 'before_start',
        'message': 'is locked'}


class PlanTreeTest(testtools.TestCase):

    def lines(self, plan, stops=(), **keywords):
        return list(plan_tree.format_lines('web', plan, list(stops),
                                           **keywords))

    def test_tree_shows_changes_stops_and_summary(self):
        self.assertEqual([
            'web',
            '  +    a (T)',
            '       n (T)',
            '    -/+  c (T)',
            '           property "p" changes',
            '           the new resource is created first',
            '    ~?   d (T)',
            '  ?    x (T)',
            'Stopped by StackLocked: is locked',
            'Plan: 1 to add, 0 to update, 1 to replace, 0 to remove; '
            'possibly 1 to update; 2 unchanged, 1 unknown.'], self.lines([
                entry('a', 'added'), entry('b'), entry('n'),
                entry('n/c', 'replaced', order='create_before_delete',
                      reasons=[{'message': 'property "p" changes'}]),
                entry('n/d', 'updated', 'may'),
                entry('x', 'replaced', 'unknown',
                      order='create_before_delete')], [STOP]))

    def test_plan_without_changes_is_one_line(self):
        self.assertEqual(
            ['Plan: 0 to add, 0 to update, 0 to replace, 0 to remove; '
             '1 unchanged.'], self.lines([entry('a')]))

    def test_summary_counts_every_entry(self):
        plan = [entry(f'{action}{certainty}', action, certainty)
                for action in ('added', 'updated', 'replaced', 'removed')
                for certainty in ('will', 'may', 'unknown')] + [entry('u')]
        numbers = [int(word) for word in
                   plan_tree.format_summary(plan).split() if word.isdigit()]
        self.assertEqual(len(plan), sum(numbers))

    def test_possible_stop_is_shown_and_only_certain_stop_counts(self):
        plan = [entry('a', stops=[{**STOP, 'certainty': 'may'}]), entry('b')]
        self.assertIn('May be stopped by StackLocked: is locked',
                      self.lines(plan)[2])
        self.assertFalse(plan_tree.is_stopped(plan, []))
        self.assertTrue(plan_tree.is_stopped(plan, [STOP]))
        self.assertTrue(plan_tree.is_stopped([entry('a', stops=[STOP])], []))

    def test_update_is_rejected_only_before_start(self):
        late, unsure = {'when': 'during'}, {'certainty': 'may'}
        self.assertTrue(plan_tree.is_rejected([], [STOP]))
        self.assertTrue(plan_tree.is_rejected([entry('a', stops=[STOP])], []))
        for each in (late, unsure):
            self.assertFalse(plan_tree.is_rejected([], [{**STOP, **each}]))

    def test_rows_have_depth_and_parent(self):
        rows = plan_tree.list_rows([entry('n'), entry('n/m'), entry(
            'n/m/a', 'updated', 'may'), entry('z')])
        self.assertEqual(
            [('', 'n', 0, ' '), ('n', 'm', 1, ' '), ('n/m', 'a', 2, '~?')],
            [(row.parent, row.name, row.depth, row.symbol) for row in rows])

    def test_control_characters_are_escaped(self):
        self.assertEqual(
            [{'a': '\\x1b', 'b': [1, None]}],
            plan_tree.make_printable([{'a': '\033', 'b': [1, None]}]))

    def test_removed_and_stopped_are_colored(self):
        colored = self.lines([entry('a', 'removed')], [STOP], colored=True)
        self.assertEqual('  \033[31m-   \033[0m a (T)', colored[1])
        self.assertEqual('\033[31mStopped\033[0m by StackLocked: is locked',
                         colored[2])

    def test_is_change_is_false_only_if_certainly_unchanged(self):
        self.assertFalse(plan_tree.is_change(entry('a')))
        self.assertTrue(plan_tree.is_change(entry('a', 'updated', 'may')))
        self.assertTrue(plan_tree.is_change(
            entry('a', 'unchanged', 'unknown')))
