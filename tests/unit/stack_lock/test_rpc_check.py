# SPDX-License-Identifier: Apache-2.0

"""What a guarded operation meets where it begins."""

from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import rpc_check
from heat_extras.stack_lock import states

_LOCKED = errors.StackLocked(message='locked', stack_id='1')


class EntryTestCase(testtools.TestCase):
    def mock(self, name):
        return self.useFixture(fixtures.MockPatchObject(
            rpc_check, name)).mock


class GuardedTest(EntryTestCase):
    def setUp(self):
        super().setUp()
        self.count = self.mock('count_refusal')

    def run_guarded(self, error=None):
        with rpc_check.rpc_operation('update', 'context'):
            self.assertEqual(('update', 'context'),
                             (request_context.get_operation(),
                              request_context.get_caller()))
            if error is not None:
                raise error

    def test_what_goes_on_is_not_counted(self):
        self.run_guarded()
        self.count.assert_not_called()
        self.assertIsNone(request_context.get_operation())

    def test_a_refusal_is_counted_and_not_logged_by_the_server(self):
        error = self.assertRaises(dispatcher.ExpectedException,
                                  self.run_guarded, _LOCKED)
        self.assertIs(_LOCKED, error.exc_info[1])
        self.count.assert_called_once_with(_LOCKED, 'update')
        self.assertIsNone(request_context.get_operation())

    def test_one_that_heat_has_wrapped_is_counted_too(self):
        try:
            raise _LOCKED
        except errors.StackLocked:
            wrapped = dispatcher.ExpectedException()
        self.assertIs(wrapped, self.assertRaises(
            dispatcher.ExpectedException, self.run_guarded, wrapped))
        self.count.assert_called_once_with(_LOCKED, 'update')

    def test_what_is_no_error_of_heat_passes(self):
        self.assertRaises(KeyboardInterrupt, self.run_guarded,
                          KeyboardInterrupt())
        self.count.assert_not_called()


class RowTest(EntryTestCase):
    def setUp(self):
        super().setUp()
        self.refusal, self.deletion = map(self.mock, ('check', 'deletion'))
        self.stack_columns = self.mock('stack_columns')
        self.delete_check = self.mock('delete_check')

    def check(self, operation, level='all'):
        self.stack_columns.get_columns.return_value.lock_level = level
        with request_context.set_operation(operation):
            rpc_check.check_row('context', 'row')

    def test_what_no_caller_asks_for_is_let_through(self):
        self.check(None)
        self.refusal.check_row.assert_not_called()

    def test_everything_else_is_looked_at(self):
        self.check('update')
        self.refusal.check_row.assert_called_once_with('context', 'row',
                                                       'update')
        self.delete_check.check_row.assert_called_once_with(
            'context', 'row', 'update')
        self.deletion.check_deletion.assert_not_called()

    def test_a_delete_that_lifts_a_lock(self):
        self.check(states.DELETE, level=None)
        self.deletion.check_deletion.assert_not_called()
        self.check(states.DELETE)
        self.deletion.check_deletion.assert_called_once_with('context', 'row')


class MarkTest(EntryTestCase):
    def test_a_lock_that_came_meanwhile_is_told(self):
        self.mock('check').check_again.side_effect = _LOCKED
        try:
            raise heat_exception.ActionInProgress(stack_name='s', action='U')
        except heat_exception.ActionInProgress:
            busy = mock.Mock(side_effect=dispatcher.ExpectedException())
        self.assertRaises(errors.StackLocked, rpc_check.check_mark, busy, None,
                          '1')

    def test_what_is_refused_already_is_not_asked_again(self):
        refusal = self.mock('check')
        try:
            raise _LOCKED
        except errors.StackLocked:
            refused = mock.Mock(side_effect=dispatcher.ExpectedException())
        self.assertRaises(dispatcher.ExpectedException, rpc_check.check_mark,
                          refused, None, '1')
        refusal.check_again.assert_not_called()

    def test_what_is_only_busy_stays_so(self):
        refusal = self.mock('check')
        try:
            raise heat_exception.ActionInProgress(stack_name='s', action='U')
        except heat_exception.ActionInProgress:
            busy = mock.Mock(side_effect=dispatcher.ExpectedException())
        self.assertRaises(dispatcher.ExpectedException, rpc_check.check_mark,
                          busy, None, '1')
        refusal.check_again.assert_called_once_with(None, '1', None)


class StartTest(EntryTestCase):
    def setUp(self):
        super().setUp()
        self.refusal, self.deletion = map(self.mock, ('check', 'deletion'))
        self.deletion.unlock_first = mock.MagicMock()
        self.stack = mock.Mock(id='1', context='context')

    def check(self, operation):
        with request_context.set_operation(operation):
            rpc_check.check_start(self.stack)

    def test_a_lock_may_have_come(self):
        for operation, wanted in (('suspend', 'suspend'),
                                  (None, 'operation')):
            self.check(operation)
            self.refusal.check_again.assert_called_with('context', '1',
                                                        wanted)
            self.assertFalse(self.stack.heat_extras_is_exported)

    def test_an_export_passes_and_is_known_at_its_end(self):
        self.check(operations.EXPORT)
        self.refusal.check_again.assert_not_called()
        with request_context.set_operation_of_thread(self.stack):
            self.assertEqual(operations.EXPORT,
                             request_context.get_operation())

    def test_the_end_of_anything_else_is_what_the_thread_knows(self):
        self.check('suspend')
        with request_context.set_operation_of_thread(self.stack):
            self.assertIsNone(request_context.get_operation())

    def test_a_delete_lifts_the_lock(self):
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
            rpc_check.counting, '_count_in_transaction')).mock

    def test_refusal_is_counted_for_its_stack(self):
        rpc_check.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        (_, *words), _ = self.write.call_args
        self.assertEqual(['1', 'refused', 'update'], words)

    def test_other_errors_are_not_counted(self):
        rpc_check.count_refusal(heat_exception.NotFound(msg_fmt='x'), 'update')
        rpc_check.count_refusal(
            errors.StackLockConflict(message='x'), 'update')
        self.write.assert_not_called()

    def test_database_that_is_away_changes_no_answer(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.write.side_effect = db_exception.DBConnectionError('away')
        rpc_check.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        self.assertIn('The counter of "refused" for update of stack 1 could',
                      log.output)
