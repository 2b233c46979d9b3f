# SPDX-License-Identifier: Apache-2.0

"""Checks at the start of a guarded operation."""

from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operation_requests
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

_LOCKED = errors.StackLocked(message='locked', stack_id='1')
_BUSY = heat_exception.ActionInProgress(stack_name='s', action='U')


class RpcCheckTestCase(testtools.TestCase):
    def mock(self, name):
        return self.useFixture(fixtures.MockPatchObject(
            operation_requests, name)).mock


class ProcessTest(RpcCheckTestCase):
    def setUp(self):
        super().setUp()
        self.count = self.mock('count_refusal')

    def process(self, error=None, operation='suspend'):
        return operation_requests.process(
            rpc_request.Request(operation, 'context'),
            mock.Mock(side_effect=error))

    def test_allowed_operation_is_not_counted(self):
        self.process()
        self.count.assert_not_called()

    def test_rejection_is_counted(self):
        try:
            raise _LOCKED
        except errors.StackLocked:
            wrapped = dispatcher.ExpectedException()
        for error in _LOCKED, wrapped:
            self.assertIs(error, self.assertRaises(
                type(error), self.process, error))
            self.count.assert_called_once_with(_LOCKED, 'suspend')
            self.count.reset_mock()

    def test_creation_and_base_exceptions_are_not_counted(self):
        self.assertRaises(KeyboardInterrupt, self.process,
                          KeyboardInterrupt())
        self.assertRaises(errors.StackLocked, self.process, _LOCKED, 'create')
        self.count.assert_not_called()


class CheckRowTest(RpcCheckTestCase):
    def setUp(self):
        super().setUp()
        self.refusal, self.deletion = map(self.mock, ('check', 'deletion'))
        self.stack_columns = self.mock('stack_columns')
        self.protected_deletion = self.mock('protected_deletion')

    def check(self, operation, level='all'):
        self.stack_columns.get_columns.return_value.lock_level = level
        operation_requests.check_row(rpc_request.Request(operation, 'context'),
                                     'row')

    def test_row_is_checked_for_lock_and_delete_protection(self):
        self.check('update')
        self.refusal.check_row.assert_called_once_with('context', 'row',
                                                       'update')
        self.protected_deletion.check_row.assert_called_once_with(
            'context', 'row', 'update')
        self.deletion.check_deletion.assert_not_called()

    def test_delete_of_locked_stack_is_checked(self):
        self.check(states.DELETE, level=None)
        self.deletion.check_deletion.assert_not_called()
        self.check(states.DELETE)
        self.deletion.check_deletion.assert_called_once_with('context', 'row')


class MarkTest(RpcCheckTestCase):
    def setUp(self):
        super().setUp()
        self.refusal = self.mock('check')
        self.mock('count_refusal')

    def mark(self, error):
        def proceed():
            try:
                raise error
            except type(error):
                raise dispatcher.ExpectedException() from None
        operation_requests.process(rpc_request.Request(
            operations.MARK_UNHEALTHY, 'context', arguments={
                'stack_identity': {'stack_id': '1'}}), proceed)

    def test_busy_stack_locked_meanwhile_is_rejected(self):
        self.refusal.check_again.side_effect = _LOCKED
        self.assertRaises(errors.StackLocked, self.mark, _BUSY)

    def test_rejected_mark_is_not_checked_again(self):
        self.assertRaises(dispatcher.ExpectedException, self.mark, _LOCKED)
        self.refusal.check_again.assert_not_called()

    def test_busy_error_is_kept_without_lock(self):
        self.assertRaises(dispatcher.ExpectedException, self.mark, _BUSY)
        self.refusal.check_again.assert_called_once_with(
            'context', '1', operations.MARK_UNHEALTHY)


class CheckStartTest(RpcCheckTestCase):
    def setUp(self):
        super().setUp()
        self.refusal, self.deletion = map(self.mock, ('check', 'deletion'))
        self.deletion.unlock_first = mock.MagicMock()
        self.stack = mock.Mock(id='1', context='context')

    def check(self, operation):
        with rpc_request.processing(operation and rpc_request.Request(
                operation, 'context')):
            operation_requests.check_start(self.stack)

    def end(self):
        """Return the operation with which Heat ends the operation."""
        object_data.of_stack(self.stack).lock = lock_record.UNLOCKED
        return operation_requests.end_export(self.stack, 'engine',
                                             rpc_request.operation)

    def test_start_of_operation_is_checked_for_lock(self):
        for operation, wanted in (('suspend', 'suspend'),
                                  ('create', 'operation'),
                                  (None, 'operation')):
            self.check(operation)
            self.refusal.check_again.assert_called_with('context', '1',
                                                        wanted)
            self.assertFalse(object_data.of_stack(self.stack).is_exported)

    def test_export_is_allowed_and_set_as_operation_of_thread(self):
        self.check(operations.EXPORT)
        self.refusal.check_again.assert_not_called()
        self.assertEqual(operations.EXPORT, self.end())

    def test_operation_of_thread_is_unset_after_suspend(self):
        self.check('suspend')
        self.assertIsNone(self.end())

    def test_delete_unlocks_stack(self):
        self.check(states.DELETE)
        self.deletion.unlock_first.assert_called_once_with(self.stack,
                                                           states.DELETE)
        self.deletion.start_legacy_deletion.assert_called_once_with(
            self.stack, states.DELETE)
        self.refusal.check_again.assert_not_called()


class CountRefusalTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.write = self.useFixture(fixtures.MockPatchObject(
            operation_requests.counter_writes, '_count_in_transaction')).mock

    def test_rejection_is_counted_for_stack(self):
        operation_requests.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        (_, *words), _ = self.write.call_args
        self.assertEqual(['1', 'refused', 'update'], words)

    def test_other_errors_are_not_counted(self):
        operation_requests.count_refusal(heat_exception.NotFound(msg_fmt='x'),
                                         'update')
        operation_requests.count_refusal(
            errors.StackLockConflict(message='x'), 'update')
        self.write.assert_not_called()

    def test_unavailable_database_is_logged_and_ignored(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.write.side_effect = db_exception.DBConnectionError('away')
        operation_requests.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        self.assertIn('The counter of "refused" for update of stack 1 could',
                      log.output)
