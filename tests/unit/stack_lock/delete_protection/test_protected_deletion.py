# SPDX-License-Identifier: Apache-2.0

"""Deletions that are rejected, and deletions that store their intent."""

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protected_deletion
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

KEPT = protection.Protection(id='5678', set_by_project='p1', set_by='alice')
FREE = {'delete_protection_id': None, 'lock_level': None}
PROTECTED = {**FREE, 'delete_protection_id': '5678'}


def read_protection(session, root_id, columns):
    return (protection.NONE if columns.delete_protection_id is None
            else KEPT)


def row(columns=FREE, owner_id=None, convergence=True, status='COMPLETE',
        action='UPDATE', **more):
    # Like Heat's object, which stores the added columns apart, and a row.
    return types.SimpleNamespace(
        id='1', name='web', owner_id=owner_id, convergence=convergence,
        status=status, action=action, columns={**columns, **more},
        **columns)


class DeleteCheckTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.intent = mock.Mock(is_stored=False, **{
            'store.return_value': protection.NONE})
        self.useFixture(fixtures.MockPatchObject(
            delete_intent, 'current_intent', return_value=self.intent))
        self.held = self.mock(delete_intent, 'stored_intent', None)
        self.tag = self.mock(protected_deletion.protection_tag,
                             'configured_tag', None)
        self.useFixture(fixtures.MockPatchObject(protected_deletion, 'db_api'))
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.delete_protection.delete_intent.'
            'read_protection', read_protection))
        self.root = self.mock(protected_deletion.guarded_stacks, 'read_root')
        self.mock(protected_deletion.stack_columns,
                  'get_columns').side_effect = (
            lambda stack_row: types.SimpleNamespace(**stack_row.columns))
        self.is_parents = self.mock(protected_deletion.caller,
                                    'is_parent_call', False)
        self.context = types.SimpleNamespace(project_id='p1')

    def mock(self, module, name, replacement=mock.DEFAULT):
        return self.useFixture(fixtures.MockPatchObject(
            module, name, return_value=replacement)).mock

    def check(self, stack_row, operation=states.DELETE, root=None):
        self.root.return_value = root or stack_row
        protected_deletion.check_row(self.context, stack_row, operation)
        protected_deletion.store_needed_intent(rpc_request.Request(
            operation, self.context, delete_intent=self.intent), stack_row)
        return self.intent.store.called

    def assert_refused(self, function, *args, **kwargs):
        error = self.assertRaises(errors.StackProtected, function, *args,
                                  **kwargs)
        self.assertIn('protected from deletion by alice', str(error))


class CheckRowTest(DeleteCheckTestCase):

    def test_deletions_of_protected_stack_are_rejected(self):
        for operation in states.DELETE, operations.ABANDON:
            self.assert_refused(self.check, row(PROTECTED), operation)
        self.intent.store.assert_not_called()

    def test_other_operations_on_protected_stack_are_allowed(self):
        for operation in (operations.UPDATE, operations.EXPORT,
                          states.LOCK,
                          operations.SNAPSHOT):
            self.assertFalse(self.check(row(PROTECTED), operation))
        self.root.assert_not_called()

    def test_nested_stack_of_protected_root_cannot_be_deleted(self):
        self.assert_refused(self.check, row(owner_id='r'),
                            root=row(PROTECTED))

    def test_nested_stack_is_deleted_by_parent(self):
        self.is_parents.return_value = True
        self.assertFalse(self.check(row(owner_id='r'), root=row(PROTECTED)))

    def test_parent_mark_is_ignored_for_root_stack(self):
        self.is_parents.return_value = True
        self.assert_refused(self.check, row(PROTECTED))

    def test_deletion_of_idle_or_legacy_stack_stores_no_intent(self):
        for stack_row in (row(), row(
            status='FAILED'), row(convergence=False, status='IN_PROGRESS')):
            self.assertFalse(self.check(stack_row))

    def test_deletion_of_busy_nested_or_locked_stack_stores_intent(self):
        for stack_row in (row(status='IN_PROGRESS'), row(owner_id='r'),
                          row(lock_level='all')):
            self.intent.store.reset_mock()
            root = row()
            root.id = 'root'
            self.assertTrue(self.check(stack_row, root=root))
            self.intent.store.assert_called_once_with(self.context, 'root')

    def test_deletion_is_rejected_if_protected_before_intent(self):
        self.intent.store.return_value = KEPT
        self.assert_refused(self.check, row(status='IN_PROGRESS'))

    def test_stored_intent_is_not_checked_again(self):
        self.held.return_value = self.intent
        self.assertFalse(self.check(row(PROTECTED, status='IN_PROGRESS')))


class CheckBusyTest(DeleteCheckTestCase):
    """Another operation has the StackLock of a legacy stack."""

    def setUp(self):
        super().setUp()
        self.stack = self.mock(protected_deletion.stack_object.Stack,
                               'get_by_id', row(convergence=False))
        self.root.return_value = self.stack.return_value

    def test_intent_is_stored_at_root_of_busy_stack(self):
        protected_deletion.check_busy(self.context, '1')
        self.intent.store.assert_called_once_with(self.context, '1')

        self.assertTrue(self.intent.is_to_wait)

    def test_stored_intent_of_busy_stack_waits(self):
        self.intent.is_stored = True
        protected_deletion.check_busy(self.context, '1')
        self.stack.assert_not_called()
        self.intent.store.assert_not_called()
        self.assertTrue(self.intent.is_to_wait)

    def test_deletion_of_busy_stack_is_rejected_if_protected(self):
        self.intent.store.return_value = KEPT
        self.assert_refused(protected_deletion.check_busy, self.context, '1')

    def test_parent_call_on_busy_stack_stores_no_intent(self):
        self.is_parents.return_value = True
        protected_deletion.check_busy(self.context, '1')
        self.intent.store.assert_not_called()

    def test_other_operation_on_busy_stack_stores_no_intent(self):
        self.mock(delete_intent, 'current_intent', None)
        protected_deletion.check_busy(self.context, '1')
        self.stack.assert_not_called()


class LateCheckTest(DeleteCheckTestCase):

    def stored(self, stack_row):
        self.mock(protected_deletion.stack_object.Stack, 'get_by_id',
                  stack_row)

    def test_deletion_is_rejected_if_protected_meanwhile(self):
        self.stored(row(PROTECTED))
        self.assert_refused(protected_deletion.check_again, self.context, '1')

    def test_missing_nested_and_unprotected_stacks_are_accepted(self):
        for stack_row in None, row(PROTECTED, owner_id='r'), row():
            self.stored(stack_row)
            protected_deletion.check_again(self.context, '1')

    def test_overtaken_deletion_is_rejected(self):
        self.stored(row())
        error = self.assertRaises(
            errors.StackLockConflict, protected_deletion.check_overtaken,
            self.context, '1')
        self.assertIn('Its deletion was not started', str(error))

    def test_overtaken_deletion_is_accepted_if_stack_is_deleted(self):
        for stack_row in None, row(action='DELETE'):
            self.stored(stack_row)
            protected_deletion.check_overtaken(self.context, '1')

    def lost(self, stack_row, tags=('keep',), **more):
        self.tag.return_value = 'keep'
        self.mock(protected_deletion.protection_tag, 'tag_of_stack', stack_row)
        stack = types.SimpleNamespace(
            id='1', name='web', owner_id=None, context=None)
        protected_deletion.check_tag_is_set(stack, types.SimpleNamespace(
            tags=list(tags), **more))

    def test_overtaken_update_without_stored_tag_is_rejected(self):
        error = self.assertRaises(errors.StackLockConflict, self.lost, None)
        self.assertIn("so the tag 'keep' was not added", str(error))

    def test_overtaken_update_without_missing_tag_is_accepted(self):
        self.lost('keep')
        self.lost(None, tags=['other'])
        self.lost(None, heat_extras=object_data.StackData(keeps_tag=True))
        protected_deletion.check_tag_is_set(row(), None)

    def test_overtaken_deletion_by_parent_is_not_rejected(self):
        self.is_parents.return_value = True
        self.stored(row())
        protected_deletion.check_overtaken(self.context, '1')
