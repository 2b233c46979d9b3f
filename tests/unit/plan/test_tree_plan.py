# SPDX-License-Identifier: Apache-2.0

"""Tests of the plan of a stack tree; the functional tests have the rest."""

from unittest import mock

import testtools

from heat_extras.plan import change
from heat_extras.plan import tree_plan


class EntryTest(testtools.TestCase):

    def order(self, predicted, convergence=True, predecessor=False):
        plan = mock.Mock(rows={'a': None}, **{
            'stack.convergence': convergence,
            'has_predecessor.return_value': predecessor})
        return tree_plan.Entry(('a',), 'a', plan, predicted, 'T').order

    def test_replacement_is_created_first(self):
        replaced = change.Change(change.REPLACE)
        for convergence in (True, False):
            self.assertEqual(tree_plan.CREATE_FIRST,
                             self.order(replaced, convergence))
        self.assertEqual(tree_plan.CREATE_FIRST, self.order(
            change.Change(change.UPDATE, may_replace=True)))
        self.assertIsNone(self.order(change.Change(change.UPDATE)))

    def test_legacy_engine_deletes_predecessor_first(self):
        replaced = change.Change(change.REPLACE)
        self.assertEqual(tree_plan.DELETE_FIRST,
                         self.order(replaced, False, True))
        self.assertEqual(tree_plan.CREATE_FIRST,
                         self.order(replaced, True, True))


class CombineWithParentTest(testtools.TestCase):

    def check(self, wanted, around, predicted):
        self.assertEqual(wanted, tree_plan._combine_with_parent(
            around, predicted))

    def test_parent_that_is_not_replaced_keeps_change(self):
        for around in (change.Change(), change.Change(change.UPDATE),
                       change.Change(change.UPDATE, is_certain=False)):
            for action in (change.UNCHANGED, change.REMOVE):
                predicted = change.Change(action)
                self.check(predicted, around, predicted)

    def test_possible_replacement_of_parent_applies_to_child(self):
        around = change.Change(change.REPLACE, is_certain=False)
        for action in (change.UNCHANGED, change.UPDATE):
            self.check(around, around, change.Change(action))
        for action in change.DESTRUCTIVE:
            predicted = change.Change(action)
            self.check(predicted, around, predicted)
        self.check(change.Change(change.ADD, is_certain=False), around,
                   change.Change(change.ADD))
