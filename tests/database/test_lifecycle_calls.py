# SPDX-License-Identifier: Apache-2.0

"""Calls of lifecycle plugins for operations that another engine may end."""

import contextlib
import types
from unittest import mock

import fixtures
from heat.db import models
from oslo_db import exception as db_exception

from heat_extras.heat_internals import lock_callbacks
from heat_extras.heat_internals import object_data
from heat_extras import left_operations
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from tests.database import base


class Killed(BaseException):
    """As the GreenletExit of ThreadGroupManager.stop."""


class Plugin:
    """A plugin that records its calls.

    :param act: a function that the pre call calls.
    """

    def __init__(self, name, called, act):
        self._name, self._called, self._act = name, called, act

    def do_pre_op(self, *arguments):
        self._called.append(('pre', self._name))
        self._act()

    def do_post_op(self, *arguments):
        self._called.append(('post', self._name))


def deny():
    raise Exception('no')


class CallsTestCase(base.DatabaseTest):

    scenarios = [('sqlite', {'kind': 'sqlite'})]

    def setUp(self):
        super().setUp()
        self.called = []
        self.stack = types.SimpleNamespace(
            id=self.stacks.add_stack(), name='web', owner_id=None,
            action='CREATE', status='COMPLETE', DELETE='DELETE',
            context=self.context)
        self.install()
        self.addCleanup(left_operations.retain_only, set())

    def install(self, a=bool, b=bool):
        self.useFixture(fixtures.MockPatchObject(
            registry, 'list_plugins', return_value=[
                registry.Plugin(name, Plugin(name, self.called, act))
                for name, act in (('a', a), ('b', b))]))

    def create(self):
        self.operation = pre_post.create_operation(self.stack, 'UPDATE')
        return self.operation

    def allow(self):
        """Make pre calls that allow the operation."""
        self.operation = pre_post.run_pre_calls(self.stack, self.create())
        del self.called[:]
        return self.operation

    def take_over(self):
        """Take the operation over as another engine does."""
        self.assertTrue(operation_table.update_row(
            self.context, self.operation.id, engine_id='other'))

    def fails(self, name, error, after=False):
        """Let a write of the table fail.

        :param after: whether it is committed.
        """
        def write(*arguments):
            if after:
                original(*arguments)
            raise error
        original = getattr(operation_table, name)
        return mock.patch.object(operation_table, name, write)

    def rows(self):
        return operation_table.list_operations(self.context)


class PreCallsTest(CallsTestCase):

    def assert_aborted(self, error, called):
        self.assertRaises(error, pre_post.run_pre_calls, self.stack,
                          self.create())
        self.assertEqual(called, self.called)
        self.assertTrue(left_operations.get_record(self.operation.id).is_held)

    def test_plugins_that_passed_are_notified_of_denial(self):
        self.install(b=deny)
        self.assert_aborted(runner.ActionDenied, [
            ('pre', 'a'), ('pre', 'b'), ('post', 'a')])

    def test_plugins_that_passed_are_notified_if_row_cannot_be_saved(self):
        with self.fails('set_passed', db_exception.DBError()):
            self.assert_aborted(db_exception.DBError, [
                ('pre', 'a'), ('post', 'a')])

    def test_plugin_is_notified_if_another_engine_took_over(self):
        # The other engine cannot know of this plugin and does not notify it.
        self.install(a=self.take_over)
        self.assert_aborted(pre_post.TakenOver, [('pre', 'a'), ('post', 'a')])

    def test_failed_notification_is_repeated_once(self):
        self.install(b=deny)
        with self.fails('take_over', db_exception.DBError()):
            self.assert_aborted(db_exception.DBError, [
                ('pre', 'a'), ('pre', 'b')])
        for _twice in range(2):
            pre_post.abort_operation(self.stack, self.operation)
        self.assertEqual([('post', 'a')], self.called[2:])

    def test_all_plugins_are_notified_once_after_takeover(self):
        # The other engine might not know of the plugins that answered last.
        self.allow()
        self.take_over()
        for _twice in range(2):
            self.assertFalse(pre_post.abort_operation(self.stack,
                                                      self.operation))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called)

    def test_abort_notifies_plugins_that_table_lists(self):
        operation_table.update_row(self.context, self.create().id,
                                   passed=['b'])
        self.assertTrue(pre_post.abort_operation(self.stack, self.operation))
        self.assertEqual([('post', 'b')], self.called)


class PostCallsTest(CallsTestCase):

    def start(self):
        self.operation = pre_post.mark_running(self.stack, self.allow())

    def finish(self, is_failure=False):
        return pre_post.run_post_calls(self.stack, self.operation, is_failure)

    def test_thread_stopped_at_start_runs_post_calls(self):
        self.allow()
        with self.fails('set_running', Killed(), after=True):
            self.assertRaises(Killed, pre_post.mark_running, self.stack,
                              self.operation)
        self.assertTrue(pre_post.abort_operation(self.stack, self.operation))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called)

    def test_operation_ended_by_another_engine_is_not_started(self):
        self.allow()
        self.take_over()
        error = self.assertRaises(pre_post.TakenOver, pre_post.mark_running,
                                  self.stack, self.operation)
        self.assertIn('considered this engine down', str(error))

    def test_running_operation_taken_over_runs_no_post_calls(self):
        self.start()
        self.take_over()
        self.assertFalse(pre_post.abort_operation(self.stack, self.operation))
        self.assertIsNone(self.finish())
        self.assertEqual([], self.called)

    def test_post_calls_are_not_repeated_if_row_cannot_be_deleted(self):
        self.start()
        with self.fails('delete_row', db_exception.DBError()), \
                pre_post.always_delete_row(self.stack, self.operation):
            self.assertEqual([], self.finish())
        self.assertFalse(left_operations.get_record(self.operation.id).is_held)
        left_operations.acquire(self.operation.id)
        self.operation, = self.rows()
        self.finish(True)
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called)

    def test_row_is_kept_if_post_calls_cannot_start(self):
        self.start()
        with self.fails('take_over', db_exception.DBError()), \
                pre_post.always_delete_row(self.stack, self.operation):
            self.finish()
        self.assertEqual([self.operation], self.rows())
        self.assertFalse(left_operations.get_record(self.operation.id).is_held)


class LockTest(CallsTestCase):
    """A lock, or a deletion that first unlocks its stack."""

    def ask(self, action):
        stack = self.useFixture(fixtures.MockPatchObject(
            lock_callback.heat_stack.Stack, 'load')).mock
        stack.return_value = self.stack
        return lock_callback.run_pre_calls(self.context, self.stack, action)

    def test_lock_that_cannot_start_runs_post_calls(self):
        for name, passed in (('set_passed', 'a'), ('set_running', 'ab')):
            del self.called[:]
            with self.fails(name, Killed()):
                self.assertRaises(Killed, self.ask, lock_callbacks.LOCK)
            self.assertEqual(list(passed), [
                who for call, who in self.called if call == 'post'])
            self.assertEqual([], self.rows())

    def test_deletion_rejected_later_runs_post_calls(self):
        self.ask(lock_callbacks.DELETE)(True)
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called[2:])
        self.assertEqual([], self.rows())

    def test_started_deletion_runs_no_post_calls(self):
        end = self.ask(lock_callbacks.DELETE)
        operation = object_data.of_stack(self.stack).lifecycle.take('asked')
        end(True)
        self.assertEqual(([operation.id], 2), (
            [row.id for row in self.rows()], len(self.called)))


class FailedStackTest(CallsTestCase):
    """An update of a FAILED stack before Stack.purge_db has finished."""

    def clear(self, stored, **values):
        stack_id = self.stacks.add_stack(current_traversal=stored, **values)
        self.stack.id, operation = stack_id, mock.Mock(stack_id=stack_id)
        cleared = convergence._clear_failed_traversal(self.stack, operation,
                                                      'failed')
        return cleared, self.stacks.row(models.Stack,
                                        stack_id).current_traversal

    def test_traversal_of_failed_update_is_cleared(self):
        self.assertEqual(('', ''), self.clear('failed'))

    def test_update_starts_after_purge(self):
        self.assertEqual(('', ''), self.clear(''))

    def test_update_with_lock_pass_starts(self):
        self.assertEqual(('failed', 'failed'),
                         self.clear('failed', lock_level='stacks'))

    def test_traversal_of_newer_update_is_not_cleared(self):
        self.assertEqual(('', 'newer'), self.clear('newer'))


class StartTest(CallsTestCase):
    """A stack that has its new template, and may have another traversal."""

    def may_begin(self, traversal):
        object_data.of_stack(self.stack).lifecycle.allowed = self.allow()
        self.stack.current_traversal = traversal
        return convergence.may_begin(self.stack)

    def test_any_engine_may_end_operation_that_has_started(self):
        traversal = self.stacks.row(models.Stack,
                                    self.stack.id).current_traversal
        self.assertTrue(self.may_begin(traversal))
        self.assertEqual([(operation_table.RUNNING, traversal)], [
            (row.phase, row.traversal) for row in self.rows()])
        self.assertFalse(left_operations.get_record(self.operation.id).is_held)
        self.assertEqual([], self.called)

    def test_superseded_operation_does_not_start(self):
        self.assertFalse(self.may_begin('superseded'))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called)
        self.assertEqual([], self.rows())


class CompleteTest(CallsTestCase):
    """The end of an operation that any engine can end."""

    def test_row_is_kept_if_final_state_cannot_be_stored(self):
        self.stack.current_traversal = 'new'
        operation_table.insert_row(self.context, operation_table.Operation(
            id='1', stack_id=self.stack.id, action='UPDATE', traversal='new',
            engine_id='here', phase=operation_table.RUNNING, passed=('a',)))
        self.stack.UPDATE, self.stack.ROLLBACK = 'UPDATE', 'ROLLBACK'
        self.stack.RESTORE = 'RESTORE'
        with contextlib.suppress(KeyError):
            convergence.mark_complete(self.stack,
                                      mock.Mock(side_effect=KeyError))
        self.assertEqual(['1'], [row.id for row in self.rows()])
        self.assertFalse(left_operations.get_record('1').is_held)
        # The recovery stores the final state, without further calls.
        operation, = self.rows()
        self.assertEqual([], pre_post.run_post_calls(self.stack, operation,
                                                     False))
        self.assertEqual([('post', 'a')], self.called)
