# SPDX-License-Identifier: Apache-2.0

import functools
from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import runner
from heat_extras.operations import in_process
from tests.unit.lifecycle import test_runner

OPERATION = operation_table.Operation(
    id='1', stack_id='s', action='UPDATE', traversal='asked',
    engine_id='here')


class Stack:
    """Replaces Heat's Stack, and records the calls of its methods."""

    IN_PROGRESS, FAILED, SNAPSHOT = 'IN_PROGRESS', 'FAILED', 'SNAPSHOT'

    def __init__(self, steps, traversal='asked'):
        self.id, self.context, self.action = 's', None, 'UPDATE'
        self.steps, self.current_traversal = steps, traversal
        self.status, self.thread_group_mgr = 'IN_PROGRESS', mock.Mock()
        self.status_reason = 'began'

    @classmethod
    def load(cls, context, stack=None, stack_id=None):
        return cls(stack.steps, stack.current_traversal)

    def state_set(self, action, status, reason):
        self.steps.append((f'{action}_{status}', reason))
        return True

    def defer_state_persist(self):
        return False

    def mark_failed(self, reason):
        self.steps.append(('mark_failed', reason))

    def purge_db(self):
        pass


class OldStack(Stack):
    """Stack of Heat 24, which stores some states at StackLock release."""

    def state_set(self, action, status, reason):
        self.action, self.status, self.status_reason = action, status, reason

    def defer_state_persist(self):
        return True

    def _persist_state(self):
        if self.current_traversal == 'asked':
            self.steps.append((f'{self.action}_{self.status}',
                               self.status_reason))
            return True

    def purge_db(self):
        self.steps.append('purged')


class ConvergenceTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.steps = []
        self.stack, self.row = Stack(self.steps), Stack(self.steps)
        for target, name, replacement in (
                (convergence.pre_post, 'run_pre_calls', self.ask),
                (convergence.pre_post, 'abort_operation', self.abort),
                (convergence.pre_post, 'delete_row', self.end),
                (convergence, 'end_superseded', mock.Mock()),
                (convergence, '_read_row', lambda stack, operation: self.row)):
            self.useFixture(fixtures.MockPatchObject(
                target, name, replacement))
        self.addCleanup(in_process.remove_record, '1')
        self.answer = OPERATION

    def ask(self, *arguments):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def abort(self, stack, operation):
        self.steps.append('told')
        return True

    def end(self, stack, operation):
        in_process.remove_record(operation.id)
        self.steps.append('row gone')

    def run_ask(self, go_on=None):
        ask = functools.partial(convergence._run_pre_calls, self.stack,
                                OPERATION, {}, lambda: None)
        convergence._run_in_thread(self.stack, OPERATION, 'old', ask,
                                   go_on or self.go_on)

    def go_on(self):
        object_data.of_stack(self.stack).lifecycle.is_stored = True


class RunPreCallsTest(ConvergenceTestCase):

    def failing(self, error, is_stored=False, traversal='new'):
        """Make a Stack.converge_stack that ends in an error."""
        def go_on():
            self.stack.current_traversal = traversal
            if is_stored:
                self.row.current_traversal = traversal
                object_data.of_stack(self.stack).lifecycle.is_stored = True
            raise error
        return go_on

    def test_operation_that_continues_is_not_ended(self):
        self.run_ask()
        self.assertEqual([], self.steps)

    def test_denied_operation_fails(self):
        self.answer = runner.ActionDenied('no')
        self.run_ask()
        # run_pre_calls() has notified the plugins that had passed.
        self.assertEqual([('UPDATE_FAILED', 'no'), 'row gone'], self.steps)

    def test_error_in_pre_calls_fails_operation(self):
        for self.answer in OSError('a secret'), test_runner.Killed():
            del self.steps[:]
            self.assertRaises(type(self.answer), self.run_ask)
            self.assertEqual(['told', 'row gone'], self.steps[::2])
            state, reason = self.steps[1]
            self.assertEqual('UPDATE_FAILED', state)
            self.assertIn('OSError' if isinstance(self.answer, OSError)
                          else 'thread was stopped', reason)
            self.assertNotIn('secret', reason)

    def test_operation_superseded_by_newer_one_is_aborted(self):
        def go_on():
            object_data.of_stack(self.stack).lifecycle.is_stored = False
        self.run_ask(go_on)
        self.assertEqual(['told', 'row gone'], self.steps)

    def test_operation_of_deleted_stack_is_aborted(self):
        self.row = None
        self.run_ask(self.failing(exception.NotFound()))
        self.assertEqual(['told', 'row gone'], self.steps)

    def test_other_not_found_error_is_raised(self):
        self.assertRaises(exception.NotFound, self.run_ask,
                          self.failing(exception.NotFound()))
        self.assertEqual(['told', 'row gone'], self.steps[::2])

    def test_error_before_template_is_stored_fails_operation(self):
        for error in OSError(), test_runner.Killed():
            del self.steps[:]
            self.assertRaises(type(error), self.run_ask, self.failing(error))
            self.assertEqual('UPDATE_FAILED', self.steps[1][0])

    def test_error_after_template_is_stored_marks_stack_failed(self):
        self.assertRaises(OSError, self.run_ask,
                          self.failing(OSError(), is_stored=True))
        self.assertEqual('mark_failed', self.steps[1][0])

    def test_error_does_not_set_state_of_newer_traversal(self):
        self.row.current_traversal = 'newer'
        self.assertRaises(OSError, self.run_ask, self.failing(OSError()))
        self.assertEqual(['told', 'row gone'], self.steps)


class SetRunningTest(ConvergenceTestCase):

    def set_running(self, **result):
        object_data.of_stack(self.stack).lifecycle.allowed = OPERATION
        in_process.acquire('1')
        self.useFixture(fixtures.MockPatchObject(
            convergence.operation_table, 'set_running', **result))
        return convergence.set_running(self.stack)

    def test_running_operation_is_released(self):
        self.assertTrue(self.set_running(return_value=True))
        self.assertFalse(in_process.get_record('1').is_held)
        self.assertEqual([], self.steps)

    def test_superseded_operation_is_not_set_running(self):
        self.assertFalse(self.set_running(return_value=False))
        self.assertEqual(['told', 'row gone'], self.steps)

    def test_error_in_set_running_aborts_operation(self):
        self.assertRaises(OSError, self.set_running, side_effect=OSError())
        self.assertEqual(['told', 'row gone'], self.steps[::2])


class CompleteTest(ConvergenceTestCase):

    def complete(self, failures, original):
        self.useFixture(
            fixtures.MockPatchObject(convergence.operation_table,
                                     'find_operation', return_value=OPERATION))
        self.useFixture(fixtures.MockPatchObject(
            convergence, '_run_post_calls', return_value=failures))
        self.useFixture(fixtures.MockPatchObject(
            convergence.pre_post, 'has_plugins', return_value=True))
        return convergence.mark_complete(self.stack, original)

    def test_row_is_deleted_after_outcome_is_stored(self):
        self.complete([], lambda: self.steps.append('complete'))
        self.complete(['bad'], None)
        self.assertEqual(['complete', 'row gone', ('mark_failed', 'bad'),
                          'row gone'], self.steps)

    def test_row_is_kept_if_outcome_cannot_be_stored(self):
        self.assertRaises(OSError, self.complete, [],
                          mock.Mock(side_effect=OSError()))
        self.assertEqual([], self.steps)
        self.assertFalse(in_process.get_record('1').is_held)

    def test_operation_ended_by_another_engine_is_released(self):
        self.complete(None, lambda: self.steps.append('complete'))
        self.assertEqual(['complete'], self.steps)
        self.assertFalse(in_process.get_record('1').is_held)


class PurgeTest(ConvergenceTestCase):
    """Update a failed stack before Stack.purge_db has finished."""

    def setUp(self):
        super().setUp()
        self.stored, self.is_locked = 'failed', False
        self.stack.name, self.stack.CREATE = 'web', 'CREATE'
        self.stack.store = self.store
        for target, name, replacement in (
                (convergence.stack_object.Stack, 'select_and_update',
                 self.select_and_update),
                (convergence, '_read_row', lambda stack, operation: Stack(
                    [], self.stored)),
                (convergence.pre_post, 'create_operation',
                 lambda *arguments: OPERATION)):
            self.useFixture(fixtures.MockPatchObject(
                target, name, replacement))

    def select_and_update(self, context, stack_id, values, exp_trvsl):
        if self.stored != exp_trvsl or self.is_locked:
            return False
        self.stored = values['current_traversal']
        return True

    def store(self, exp_trvsl):
        if self.stored != exp_trvsl:
            return None
        self.stored = self.stack.current_traversal
        return 's'

    def take(self, status='FAILED'):
        self.stack.current_traversal, self.stack.status = 'failed', status
        return convergence._mark_in_progress(self.stack, 'UPDATE', 'new', None)

    def test_update_starts_before_purge(self):
        self.assertEqual(OPERATION, self.take())
        self.assertEqual('new', self.stored)

    def test_update_starts_after_purge(self):
        self.stored = ''
        self.assertEqual(OPERATION, self.take())
        self.assertEqual('new', self.stored)

    def test_update_with_lock_pass_starts(self):
        self.is_locked = True
        self.assertEqual(OPERATION, self.take())
        self.assertEqual('new', self.stored)

    def test_update_does_not_start_after_another_update(self):
        self.stored = 'of another one'
        self.assertIsNone(self.take())
        self.assertEqual('of another one', self.stored)

    def test_update_does_not_start_if_running_operation_ended(self):
        self.stored = ''
        self.assertIsNone(self.take('IN_PROGRESS'))


class FailNotBegunTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.steps = []
        self.failed = self.useFixture(fixtures.MockPatchObject(
            convergence.operation_table, 'fail_snapshots')).mock

    def test_state_deferred_by_heat_24_is_stored(self):
        convergence.fail_not_begun(OldStack(self.steps), 'CHECK', 'dead')
        self.assertEqual([('CHECK_FAILED', 'dead'), 'purged'], self.steps)

    def test_later_operation_is_not_failed(self):
        convergence.fail_not_begun(OldStack(self.steps, 'later'), 'SNAPSHOT',
                                   'dead')
        self.assertEqual([], self.steps)
        self.assertFalse(self.failed.called)

    def test_state_stored_by_heat_is_not_stored_again(self):
        convergence.fail_not_begun(Stack(self.steps), 'CHECK', 'dead')
        self.assertEqual([('CHECK_FAILED', 'dead')], self.steps)

    def test_snapshot_fails_with_its_stack(self):
        for stack in Stack(self.steps), OldStack(self.steps):
            convergence.fail_not_begun(stack, 'SNAPSHOT', 'dead')
            self.assertEqual((None, 's', 'asked', 'dead'),
                             self.failed.call_args.args)
        self.assertEqual(2, self.failed.call_count)
