# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import fixtures
from heat.common import context as heat_context
import testtools

from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import recovery
from heat_extras.operations import in_process
from heat_extras.operations import sweep


class RecoveryTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.row = mock.Mock(status='IN_PROGRESS', action='UPDATE',
                             current_traversal='new', deleted_at=None)
        self.table = mock.Mock()
        self.table.list_working_engines.return_value = set()
        for name in ('list_operations', 'list_working_engines',
                     'fail_snapshots'):
            self.useFixture(fixtures.MockPatchObject(
                recovery.operation_table, name, getattr(self.table, name)))
        self.patch('_read_row', return_value=self.row)
        self.useFixture(fixtures.MockPatchObject(
            recovery.pre_post, 'get_engine_id', return_value='here'))

    def patch(self, name, **attributes):
        patched = mock.patch.object(recovery, name, **attributes)
        self.addCleanup(patched.stop)
        return patched.start()

    def operation(self, **fields):
        return operation_table.Operation(**{
            'id': '1', 'stack_id': 's', 'action': 'UPDATE',
            'traversal': 'new', 'engine_id': 'here',
            'phase': operation_table.RUNNING, **fields})


class IsSuspectTest(RecoveryTestCase):

    def is_suspect(self, at_work=(), **fields):
        self.table.list_working_engines.return_value = set(at_work)
        with mock.patch.object(sweep.service_utils, 'engine_alive',
                               return_value=False):
            return recovery._is_suspect(
                sweep.Sweep(mock.Mock(engine_id='here')),
                self.operation(**fields))

    def test_operation_in_progress_is_not_suspect(self):
        self.assertFalse(self.is_suspect())
        self.assertFalse(self.is_suspect(['here']))
        # Started by an engine that has died, and still in progress.
        self.assertFalse(self.is_suspect(['here'], engine_id='dead'))
        self.addCleanup(in_process.remove_record, '1')
        in_process.acquire('1')
        for phase in (*operation_table.NOT_BEGUN, operation_table.POST):
            self.assertFalse(self.is_suspect(phase=phase))

    def test_operation_released_by_thread_is_suspect(self):
        self.addCleanup(in_process.remove_record, '1')
        in_process.acquire('1')
        in_process.release('1')
        for phase in (*operation_table.NOT_BEGUN, operation_table.POST):
            self.assertTrue(self.is_suspect(phase=phase))
        self.assertTrue(self.is_suspect(traversal=None))
        self.assertFalse(self.is_suspect())

    def test_operation_of_dead_engine_is_suspect(self):
        self.assertTrue(self.is_suspect(['here', 'dead']))
        self.assertTrue(self.is_suspect(engine_id='dead'))
        self.assertTrue(self.is_suspect(engine_id='dead', traversal=None))
        for phase in (*operation_table.NOT_BEGUN, operation_table.POST):
            self.assertTrue(self.is_suspect(phase=phase, engine_id='dead'))

    def test_ended_operation_without_post_calls_is_suspect(self):
        self.assertTrue(self.is_suspect(traversal='old'))
        self.row.status = 'FAILED'
        self.assertTrue(self.is_suspect())


class EndStackTest(RecoveryTestCase):

    def fail_stack(self, post_call=None, **fields):
        self.stack = mock.Mock(IN_PROGRESS='IN_PROGRESS', convergence=True)
        recovery._end_stack(mock.Mock(), self.stack,
                            self.operation(**fields), self.row, post_call)
        return self.stack.mark_failed.called

    def test_operation_that_has_not_started_is_not_rolled_back(self):
        fail = self.patch('convergence').fail_not_begun
        for phase in operation_table.NOT_BEGUN:
            self.assertFalse(self.fail_stack(phase=phase))
            self.assertEqual('UPDATE', fail.call_args.args[1])

    def test_stack_fails_with_its_operation(self):
        fail = self.patch('convergence').fail_not_begun
        for action in ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE'):
            self.row.action = action
            self.assertTrue(self.fail_stack(action=action))
        self.assertFalse(fail.called)

    def test_operation_without_rollback_fails(self):
        fail = self.patch('convergence').fail_not_begun
        for action in ('SNAPSHOT', 'SUSPEND', 'RESUME', 'CHECK', 'DELETE'):
            self.row.action = action
            for traversal in None, 'new':
                self.assertFalse(self.fail_stack(
                    action=action, traversal=traversal, engine_id='dead'))
                self.assertEqual(
                    (self.stack, action,
                     f'Engine went down during stack {action}'),
                    fail.call_args.args)

    def test_state_deferred_by_heat_24_is_stored(self):
        persist = self.patch('convergence').persist_deferred_state
        self.fail_stack([], phase=operation_table.POST)
        persist.assert_called_once_with(self.stack)

    def test_stack_does_not_fail_with_superseded_operation(self):
        self.assertFalse(self.fail_stack(traversal='old'))
        self.assertFalse(self.fail_stack(action='CHECK'))

    def test_stack_fails_if_new_template_was_just_stored(self):
        fail = self.patch('convergence').fail_not_begun
        for others, fails in (((), True), (
                (self.operation(id='2', phase=operation_table.PRE),), False)):
            self.table.list_operations.return_value = [
                self.operation(phase=operation_table.ABORT, traversal='old'),
                self.operation(id='3', stack_id='other'), *others]
            self.assertEqual(fails, self.fail_stack(
                phase=operation_table.PRE, traversal='old'))
        self.assertFalse(fail.called)

    def test_stack_does_not_fail_after_completion(self):
        self.row.status = 'COMPLETE'
        self.assertFalse(self.fail_stack())

    def test_stack_state_matches_finished_post_calls(self):
        self.assertFalse(self.fail_stack([], phase=operation_table.POST))
        self.assertTrue(self.stack.mark_complete.called)
        self.assertTrue(self.fail_stack(['bad'], phase=operation_table.POST))
        self.assertEqual('bad', self.stack.mark_failed.call_args.args[0])
        self.assertTrue(self.fail_stack([], phase=operation_table.POST,
                                        is_failure=True))

    def test_complete_operation_is_not_failure(self):
        self.assertTrue(recovery._is_failure(self.operation(), self.row))
        self.row.status = 'COMPLETE'
        self.assertFalse(recovery._is_failure(self.operation(), self.row))
        for fields in {'traversal': 'old'}, {'action': 'LOCK'}:
            self.assertTrue(recovery._is_failure(self.operation(**fields),
                                                 self.row))

    def test_lock_after_post_calls_keeps_reported_outcome(self):
        for action in ('LOCK', 'UNLOCK'):
            for fields, wanted in (({}, True), (
                    {'phase': operation_table.POST}, False), (
                    {'phase': operation_table.POST,
                     'is_failure': True}, True)):
                self.assertIs(wanted, recovery._is_failure(
                    self.operation(action=action, **fields), self.row))


class FailSnapshotsTest(RecoveryTestCase):
    """Snapshots that stay IN_PROGRESS in Heat when their engine dies."""

    def settled(self, **fields):
        recovery._fail_snapshots(None, self.operation(**{
            'engine_id': 'dead', 'action': 'SNAPSHOT', 'traversal': None,
            **fields}))
        return [call.args[1:]
                for call in self.table.fail_snapshots.mock_calls]

    def test_snapshot_of_dead_engine_fails(self):
        self.table.list_operations.return_value = [self.operation()]
        self.assertEqual(
            [('s', None, 'Engine went down during stack SNAPSHOT')],
            self.settled())

    def test_snapshot_of_newer_operation_does_not_fail(self):
        self.table.list_operations.return_value = [self.operation(id='2')]
        self.assertEqual([], self.settled())

    def test_snapshot_with_traversal_fails(self):
        self.table.list_operations.return_value = [self.operation()]
        self.assertEqual(
            [('s', 'new', 'Engine went down during stack SNAPSHOT')],
            self.settled(traversal='new'))

    def test_snapshot_does_not_fail_with_other_action(self):
        self.table.list_operations.return_value = []
        self.assertEqual([], self.settled(action='CHECK'))


ABORT, POST = 'pre_post.abort_operation', 'pre_post.run_post_calls'
DELETE_ROW = 'pre_post.delete_row'


class EndOperationTest(RecoveryTestCase):

    def setUp(self):
        super().setUp()
        self.stack = mock.Mock(IN_PROGRESS='IN_PROGRESS', convergence=True)
        self.useFixture(fixtures.MockPatchObject(
            recovery.heat_stack.Stack, 'load', return_value=self.stack))
        self.steps = mock.Mock()
        self.steps.attach_mock(self.patch('pre_post'), 'pre_post')
        self.steps.pre_post.abort_operation.return_value = True
        self.steps.pre_post.run_post_calls.return_value = []
        self.steps.attach_mock(self.stack.mark_failed, 'mark_failed')
        self.steps.attach_mock(self.patch('convergence').fail_not_begun,
                               'fail')

    def end(self, **fields):
        operation = self.operation(engine_id='dead', **fields)
        recovery._end_operation(mock.Mock(), heat_context.get_admin_context(),
                                operation)
        return [call[0] for call in self.steps.mock_calls
                if not call[0].startswith('pre_post.get_engine_id')]

    def test_row_is_deleted_after_outcome_is_stored(self):
        self.assertEqual([POST, 'mark_failed', DELETE_ROW],
                         self.end())

    def test_row_of_operation_that_has_not_started_is_deleted(self):
        for phase in operation_table.NOT_BEGUN:
            self.steps.reset_mock()
            self.assertEqual([ABORT, 'fail', DELETE_ROW],
                             self.end(phase=phase))

    def test_operation_ended_by_another_engine_is_left(self):
        self.steps.pre_post.run_post_calls.return_value = None
        self.assertEqual([POST], self.end())

    def test_operation_of_deleted_stack_is_ended(self):
        self.row.deleted_at = 'yesterday'
        self.assertEqual([POST, DELETE_ROW], self.end())
        self.steps.reset_mock()
        self.assertEqual([ABORT, DELETE_ROW],
                         self.end(phase=operation_table.PRE))

    def test_operation_of_purged_stack_is_ended(self):
        self.patch('_read_row', return_value=None)
        self.assertEqual([ABORT, DELETE_ROW],
                         self.end(phase=operation_table.PRE))
        shown = self.steps.pre_post.abort_operation.call_args.args[0]
        self.assertEqual(('s', 'UPDATE', 'FAILED', {}),
                         (shown.id, shown.action, shown.status,
                          dict(shown.resources)))
        self.steps.pre_post.run_post_calls.return_value = []
        for action, is_failure in ('UPDATE', True), ('DELETE', False):
            self.end(action=action)
            called = self.steps.pre_post.run_post_calls.call_args
            self.assertEqual(is_failure, called.args[2])


class RecoverInThreadTest(RecoveryTestCase):

    def setUp(self):
        super().setUp()
        self.end = self.patch('_end_operation')
        self.sleep = self.patch('time').sleep
        self.table.list_working_engines.return_value = {'dead'}

    def settle(self, *known, **fields):
        self.table.list_operations.return_value = list(known)
        recovery._recover_in_thread(None,
                                    self.operation(engine_id='dead', **fields),
                                    {'dead': False, 'here': True}.get)

    def test_lost_operation_is_ended(self):
        self.settle(self.operation(engine_id='dead'))
        self.assertTrue(self.end.called)

    def test_operation_of_live_engine_is_not_ended(self):
        # The workers take over the operations of the dead engine.
        self.table.list_working_engines.side_effect = [
            {'dead'}, {'dead'}, {'dead', 'here'}]
        self.settle(self.operation(engine_id='dead'))
        self.assertFalse(self.end.called)
        self.assertEqual(2, self.sleep.call_count)

    def test_delete_that_waits_for_old_workers_is_not_ended(self):
        # A delete waits for the workers of the dead engine, and starts its
        # own workers after that.
        self.table.list_working_engines.side_effect = (
            [{'dead'}] * 20 + [{'dead', 'here'}])
        operation = self.operation(engine_id='here')
        self.table.list_operations.return_value = [operation]
        recovery._recover_in_thread(None, operation,
                                    {'dead': False, 'here': True}.get)
        self.assertFalse(self.end.called)

    def test_operation_without_worker_is_ended(self):
        operation = self.operation(engine_id='here')
        self.table.list_operations.return_value = [operation]
        recovery._recover_in_thread(None, operation,
                                    {'dead': False, 'here': True}.get)
        self.assertTrue(self.end.called)

    def test_operation_that_has_not_started_is_ended_immediately(self):
        self.settle(self.operation(engine_id='dead',
                                   phase=operation_table.PRE),
                    phase=operation_table.PRE)
        self.assertTrue(self.end.called)
        self.assertFalse(self.sleep.called)

    def test_failure_reason_states_engine_or_log(self):
        for fields, wanted in (
                ({}, 'Engine went down'),
                ({'engine_id': 'dead', 'phase': operation_table.POST},
                 'Engine went down'),
                ({'traversal': None}, 'see the log of heat-engine'),
                ({'phase': operation_table.POST},
                 'see the log of heat-engine')):
            self.assertIn(wanted,
                          recovery._failure_reason(self.operation(**fields)))

    def test_recovered_operation_is_not_ended_again(self):
        self.settle()
        self.settle(self.operation(engine_id='here',
                                   phase=operation_table.POST))
        self.assertFalse(self.end.called)

    def test_operation_acquired_by_thread_is_not_ended(self):
        self.addCleanup(in_process.remove_record, '1')
        in_process.acquire('1')
        self.settle(self.operation(engine_id='dead'))
        self.assertFalse(self.end.called)
        in_process.release('1')
        self.settle(self.operation(engine_id='dead'))
        self.assertTrue(self.end.called)
        self.assertFalse(in_process.get_record('1').is_held)
