# SPDX-License-Identifier: Apache-2.0

"""The end of the thread of a lock that calls services."""

from unittest import mock

import fixtures
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from tests.unit.stack_lock.resource_locks import fakes


class Killed(BaseException):
    """A stand-in for the GreenletExit of ThreadGroupManager.stop."""


class WorkerTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = mock.Mock(engine_id='engine-1')
        self.service.thread_group_mgr.start = (
            lambda stack_id, function, *arguments: function(*arguments))
        self.outcome = mock.Mock(is_pending=True, stack_ids=['a'])
        for name in ('lock_resources', 'lock_transaction', 'events'):
            setattr(self, name,
                    self.patch(mock.patch.object(lock_thread, name)))
        self.patch(mock.patch('tenacity.nap.time.sleep'))

    def patch(self, patcher):
        self.addCleanup(patcher.stop)
        return patcher.start()

    def start(self, action=states.LOCK, level=states.ALL):
        lock_thread.start_thread(self.service, 'context', self.outcome, action,
                                 level)

    def ended(self):
        """Return the failure and the note with which the lock was finished."""
        arguments, = (call.args for call
                      in self.lock_transaction.finish_tree.call_args_list)
        return arguments[4:]

    def report(self, *results):
        stack = fakes.Stack()
        return report.Report({
            fakes.Resource(stack, f'r{index}'): result
            for index, result in enumerate(results)}, [stack])

    def test_lock_without_pending_resources_is_not_finished_again(self):
        self.outcome.is_pending = False
        self.start()
        self.lock_transaction.finish_tree.assert_not_called()

    def test_lock_of_all_resources_has_no_failure(self):
        self.lock_resources.protect.return_value = self.report(
            (resource_states.PROTECTED, None))
        self.start()
        self.assertEqual((None, None), self.ended())

    def test_failed_resources_are_counted_and_three_are_named(self):
        self.lock_resources.protect.return_value = self.report(
            (resource_states.PROTECTED, None),
            *[(resource_states.FAILED, 'no rights')] * 5)
        self.start()
        self.assertEqual(
            '5 of 6 resources could not be protected: '
            'r1 of stack web: no rights; r2 of stack web: no rights; '
            'r3 of stack web: no rights; and 2 more', self.ended()[0])

    def test_unlock_notes_resources_unlocked_by_others(self):
        self.lock_resources.release.return_value = self.report(
            (None, report.RELEASED_BY_OTHER), (None, None))
        self.start(states.UNLOCK, None)
        self.assertEqual(
            (None, '1 resource had been unlocked by another user or program: '
                   'r0'),
            self.ended())

    def test_unlock_notes_resources_locked_by_others(self):
        self.lock_resources.release.return_value = self.report(
            (None, report.PROTECTED_BY_OTHER), (None, None),
            (None, report.RELEASED_BY_OTHER))
        self.start(states.UNLOCK, None)
        self.assertEqual(
            (None, '1 resource had been unlocked by another user or program: '
                   'r2. Not released, because of a lock of another user or '
                   'program: r0'),
            self.ended())

    def test_automatic_unlock_uses_heat_credentials_and_notes_why(self):
        for result, wanted in (((None, None), 'why'),
                               ((None, report.RELEASED_BY_OTHER),
                                'why. 1 resource had been unlocked by '
                                'another user or program: r0')):
            self.lock_transaction.reset_mock()
            self.lock_resources.release.return_value = self.report(result)
            lock_thread.unlock_and_wait(self.service, 'context', self.outcome,
                                        lambda is_failure: None, 'why')
            self.assertEqual((None, wanted), self.ended())
            own, = self.lock_resources.release.call_args.args
            self.assertFalse(own.has_credentials)

    def test_level_stacks_releases_resources(self):
        self.lock_resources.release.return_value = self.report((None, None))
        self.start(level=states.STACKS)
        self.lock_resources.protect.assert_not_called()
        self.assertEqual((None, None), self.ended())

    def test_level_stacks_reports_resources_not_released(self):
        self.lock_resources.release.return_value = self.report(
            (resource_states.FAILED, 'no rights'))
        self.start(level=states.STACKS)
        self.assertEqual('1 of 1 resource could not be released: r0 of stack '
                         'web: no rights', self.ended()[0])

    def test_unexpected_error_fails_lock_and_is_logged(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.lock_resources.protect.side_effect = ValueError('a bug')
        self.start()
        failure, note = self.ended()
        self.assertIn('LOCK of stack', failure)
        self.assertIn('an unexpected error', failure)
        self.assertNotIn('a bug', failure)
        self.assertIn('a bug', log.output)
        self.assertIsNone(note)

    def test_unlock_ignoring_failures_completes_after_error(self):
        self.lock_resources.release.side_effect = ValueError('broken')
        lock_thread.start_thread(self.service, 'context', self.outcome,
                                 states.UNLOCK, ignore_failures=True)
        failure, note = self.ended()
        self.assertIsNone(failure)
        self.assertIn('Unlocked, but the services could not be called', note)

    def test_lock_is_finished_without_events_after_event_error(self):
        self.lock_resources.protect.return_value = self.report(
            (resource_states.PROTECTED, None))
        finish = self.lock_transaction.finish_tree
        finish.side_effect = [db_exception.DBError(), mock.DEFAULT]
        self.start()
        self.assertEqual({'has_events': False}, finish.call_args.kwargs)

    def test_superseded_worker_does_not_finish_lock(self):
        self.lock_resources.protect.side_effect = resource_table.Superseded(
            'it was reset')
        self.start()
        self.lock_transaction.finish_tree.assert_not_called()
        self.events.purge_old_events.assert_not_called()

    def test_stopped_thread_fails_lock(self):
        self.lock_resources.protect.side_effect = Killed()
        calls = []
        self.assertRaises(Killed, lock_thread._run, self.service, 'context',
                          self.outcome, states.LOCK, states.ALL, calls.append,
                          None)
        self.assertIn('was stopped', self.ended()[0])
        self.assertEqual([True], calls)

    def test_lock_fails_if_no_thread_can_be_started(self):
        self.service.thread_group_mgr.start = mock.Mock(
            side_effect=RuntimeError('Maximum number of threads reached'))
        calls = []
        self.assertRaises(
            RuntimeError, lock_thread.start_thread, self.service, 'context',
            self.outcome, states.LOCK, states.ALL, calls.append)
        self.assertIn('No thread could be started', self.ended()[0])
        self.assertEqual([True], calls)

    def test_finish_is_retried_until_database_is_available(self):
        self.lock_resources.protect.return_value = self.report()
        gone = db_exception.DBConnectionError()
        ended = mock.Mock()
        self.lock_transaction.finish_tree.side_effect = [gone, gone, ended]
        self.start()
        self.assertEqual(3, self.lock_transaction.finish_tree.call_count)
        self.assertIs(ended, self.events.notify.call_args.args[2])

    def test_callback_reports_failure_if_finish_fails(self):
        self.lock_resources.protect.return_value = self.report()
        self.lock_transaction.finish_tree.side_effect = (
            db_exception.DBDeadlock())
        calls = []
        self.assertRaises(
            db_exception.DBDeadlock, lock_thread._run, self.service,
            'context', self.outcome, states.LOCK, states.ALL, calls.append,
            None)
        self.assertEqual([True], calls)
        # Heat's thread keeps its arguments after its end.
        self.outcome.operation.unregister.assert_called_once_with()

    def test_lock_failed_by_other_engine_is_not_notified(self):
        self.lock_resources.protect.return_value = self.report()
        self.lock_transaction.finish_tree.return_value = None
        self.start()
        self.assertEqual(1, self.events.notify.call_count)
