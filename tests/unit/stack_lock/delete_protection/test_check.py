# SPDX-License-Identifier: Apache-2.0

"""Which deletions are refused, and what their UPDATE requires."""

import types
from unittest import mock

import fixtures
import sqlalchemy
import testtools

from heat_extras.stack_lock.delete_protection import check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

FREE = {'delete_protection_id': None, 'lock_level': None}
PROTECTED = {
    **FREE, 'delete_protection_id': '5678', 'delete_protection_reason': None,
    'delete_protected_by': 'alice', 'delete_protected_by_project': 'p1',
    'delete_protection_rank': 'member', 'delete_protected_at': None}


def row(columns=FREE, owner_id=None, convergence=True, status='COMPLETE',
        action='UPDATE', **more):
    # As Heat's object, which keeps our columns apart, and as a row.
    return types.SimpleNamespace(
        id='1', name='web', owner_id=owner_id, convergence=convergence,
        status=status, action=action, columns={**columns, **more},
        **columns)


class RefusalTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.mock(check.tag, 'configured_tag', None)
        self.useFixture(fixtures.MockPatchObject(check, 'db_api'))
        self.root = self.mock(check.guard_tree, 'root')
        self.mock(check.stack_columns, 'columns').side_effect = (
            lambda found: types.SimpleNamespace(**found.columns))
        self.is_parents = self.mock(check.parent_call, 'is_one', False)
        self.context = types.SimpleNamespace(project_id='p1')

    def mock(self, module, name, found=mock.DEFAULT):
        return self.useFixture(fixtures.MockPatchObject(
            module, name, return_value=found)).mock

    def check(self, found, operation=states.DELETE, root=None):
        self.root.return_value = root or found
        check.check_row(self.context, found, operation)

    def assert_refused(self, function, *args, **kwargs):
        error = self.assertRaises(errors.StackProtected, function, *args,
                                  **kwargs)
        self.assertIn('protected from deletion by alice', str(error))


class RowTest(RefusalTestCase):

    def test_deletions_of_a_protected_stack_are_refused(self):
        for operation in states.DELETE, operations.ABANDON:
            self.assert_refused(self.check, row(PROTECTED), operation)

    def test_all_else_passes(self):
        for operation in (operations.UPDATE, operations.EXPORT,
                          states.LOCK,
                          operations.SNAPSHOT):
            self.check(row(PROTECTED), operation)
        self.root.assert_not_called()

    def test_a_nested_stack_is_kept_by_its_root(self):
        self.assert_refused(self.check, row(owner_id='r'),
                            root=row(PROTECTED))

    def test_its_parent_deletes_it(self):
        self.is_parents.return_value = True
        self.check(row(owner_id='r'), root=row(PROTECTED))

    def test_the_mark_of_a_parent_means_nothing_at_a_root(self):
        self.is_parents.return_value = True
        self.assert_refused(self.check, row(PROTECTED))

    def test_without_a_protection_they_pass(self):
        for found in row(), row(status='IN_PROGRESS'), row(owner_id='r'):
            self.check(found, root=row())


class AgainTest(RefusalTestCase):

    def stored(self, found):
        self.mock(check.stack_object.Stack, 'get_by_id', found)

    def test_protected_by_now(self):
        self.stored(row(PROTECTED))
        self.assert_refused(check.check_again, self.context, '1')

    def test_gone_nested_or_free(self):
        for found in None, row(PROTECTED, owner_id='r'), row():
            self.stored(found)
            check.check_again(self.context, '1')

    def test_a_deletion_that_met_no_row_is_refused(self):
        self.stored(row())
        error = self.assertRaises(errors.StackLockConflict,
                                  check.check_overtaken, self.context, '1')
        self.assertIn('its deletion was not begun', str(error))

    def test_unless_it_is_deleted_anyway(self):
        for found in None, row(action='DELETE'):
            self.stored(found)
            check.check_overtaken(self.context, '1')

    def test_a_parent_is_answered_as_by_heat(self):
        self.is_parents.return_value = True
        self.stored(row())
        check.check_overtaken(self.context, '1')


class CriteriaTest(testtools.TestCase):
    begins = {'action': 'DELETE', 'status': 'IN_PROGRESS'}

    def criteria(self, values, configured='keep'):
        # The column is on Heat's class only in an engine.
        self.useFixture(fixtures.MockPatchObject(
            check, 'heat_models', mock.Mock(**{
                f'Stack.{name}': sqlalchemy.column(name) for name in (
                    'delete_protection_id', 'action', 'status')})))
        self.useFixture(fixtures.MockPatchObject(
            check.tag, 'configured_tag', return_value=configured))
        return ' AND '.join(map(str, check.update_criteria(values)))

    def test_most_require_nothing(self):
        for values in ({}, {'current_traversal': 'new'},
                       {**self.begins, 'status': 'COMPLETE'},
                       {**self.begins, 'action': 'ROLLBACK'}):
            self.assertEqual('', self.criteria(values))

    def test_a_deletion_that_begins_requires_both(self):
        found = self.criteria(self.begins)
        self.assertIn('delete_protection_id IS NULL', found)
        self.assertIn('FROM stack_tag', found)

    def test_without_a_configured_tag(self):
        self.assertNotIn('stack_tag', self.criteria(self.begins, None))
