# SPDX-License-Identifier: Apache-2.0

"""Tests of what a rollback may do all the same."""

import types
from unittest import mock

from heat.engine import rsrc_defn
import testtools

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import operation
from heat_extras.update_policy import rules
from heat_extras.update_policy import undo

_BACK = operation.Operation('ROLLBACK', 'update')
_KEPT = rules.Allow(replace=False)


def _definition(value='one', kind='OS::Heat::TestResource', **more):
    return rsrc_defn.ResourceDefinition('a', kind, {'value': value}, **more)


def _row(row_id, physical='p'):
    return types.SimpleNamespace(id=row_id, physical_resource_id=physical)


class UndoTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.undo = undo.Undo(None, _BACK, {'stack': None, 'resources': {
            '1': ['p', undo._digest(_definition()), [None, False]]}})
        self.untouched = undo.Undo(None, _BACK, None)

    def test_what_was_not_there_has_come(self):
        self.assertFalse(self.undo.has_come(1))
        self.assertTrue(self.undo.has_come(2))
        self.assertFalse(self.untouched.has_come(2))

    def test_a_nested_stack_that_is_another_one(self):
        self.assertFalse(self.undo.has_come_inside(_row(1)))
        self.assertTrue(self.undo.has_come_inside(_row(1, 'other')))
        self.assertFalse(self.untouched.has_come_inside(_row(1)))

    def test_what_is_given_back_is_all_that_an_update_would_change(self):
        self.assertTrue(self.undo.gives_back(1, _definition()))
        self.assertTrue(self.undo.gives_back(1, _definition(
            depends=['b'], deletion_policy='Retain')))
        for other in (_definition('two'), _definition(kind='Other'),
                      _definition(metadata={'a': 1}),
                      _definition(update_policy={'a': 1})):
            self.assertFalse(self.undo.gives_back(1, other))
        self.assertFalse(self.undo.gives_back(2, _definition()))
        self.assertFalse(self.untouched.gives_back(1, _definition()))
        self.assertFalse(self.untouched.gives_back_stack(None))

    def test_what_was_said_before_counts(self):
        self.assertEqual(_KEPT, self.undo.allow(1, _definition()))
        self.assertEqual(rules.Allow(),
                         self.untouched.allow(1, _definition()))

    def test_what_was_said_before_counts_beside_what_is_said_now(self):
        self.assertEqual(_KEPT, self.undo.allow_both(
            1, _definition(), _definition()))
        self.assertEqual(rules.Allow(), self.untouched.allow_both(
            1, _definition(), _definition()))

    def test_what_was_said_of_the_resource_around_a_stack(self):
        self.assertEqual(_KEPT, self.undo.allow_around('p'))
        self.assertEqual(rules.Allow(), self.undo.allow_around('other'))
        self.assertEqual(rules.Allow(), self.untouched.allow_around('p'))

    def test_an_update_of_a_root_costs_nothing(self):
        stack = types.SimpleNamespace(context=None, id='1', owner_id=None,
                                      action='UPDATE')
        with mock.patch.object(operation, 'of') as of:
            self.assertIsNone(undo.of(stack))
        of.assert_not_called()

    def test_a_stack_inside_is_looked_up_in_the_same_update(self):
        with mock.patch.object(baseline, 'read', return_value=None) as read:
            self.assertFalse(self.undo.inside('2').has_come(1))
        read.assert_called_once_with(None, '2', 'resources', 'update')

    def test_nothing_is_undone_by_an_update(self):
        stack = types.SimpleNamespace(context=None, id='1',
                                      owner_id='0')
        for action, wanted in (('UPDATE', False), ('RESTORE', False),
                               ('ROLLBACK', True)):
            with mock.patch.object(
                    operation, 'of', return_value=operation.Operation(
                        action, 'update')), mock.patch.object(
                        baseline, 'read', return_value=None):
                self.assertEqual(wanted, undo.of(stack) is not None)
