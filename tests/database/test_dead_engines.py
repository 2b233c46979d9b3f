# SPDX-License-Identifier: Apache-2.0

"""Lock operations without a thread of their engine."""

import contextlib
import gc
from unittest import mock

import fixtures
from heat.db import models
from oslo_db import exception as db_exception
import sqlalchemy

from heat_extras import left_operations
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from tests.database import base
from tests.harness import databases


def refuse_in_progress(lock):
    """Check as a request does."""
    if lock.status == states.IN_PROGRESS:
        raise errors.StackLockConflict(message='in progress')


class UnfinishedLockTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        self.root_id, self.nested_id = self.stacks.add_tree(1, 1)

    def look(self):
        """Do what an engine does at each report."""
        # An answer that a test has kept in an error counts as kept.
        gc.collect()
        lock_thread.fail_interrupted(self.sweep())

    def states(self):
        return {(self.stack(id).lock_level, self.lock_row(id).action,
                 self.lock_row(id).status)
                for id in (self.root_id, self.nested_id)}

    @contextlib.contextmanager
    def lose_answers(self, is_once=True):
        """Let a commit be done whose answer is lost.

        :param is_once: whether the database is there again after that.
        """
        commit, done = self.engine.dialect.do_commit, []

        def commit_unheard(connection):
            commit(connection)
            if not done:
                done.append(True)
                raise db_exception.DBConnectionError()

        def fail_if_away(*statement):
            if done and not is_once:
                raise db_exception.DBConnectionError()
        sqlalchemy.event.listen(self.engine, 'before_cursor_execute',
                                fail_if_away)
        with fixtures.MockPatchObject(
                self.engine.dialect, 'do_commit', commit_unheard):
            yield
        sqlalchemy.event.remove(self.engine, 'before_cursor_execute',
                                fail_if_away)

    def assert_failed(self, action):
        self.assertEqual({('all', action, 'IN_PROGRESS')}, self.states())
        self.look()
        self.assertEqual({('all', action, 'FAILED')}, self.states())
        for stack_id in self.root_id, self.nested_id:
            event = self.stacks.rows(models.Event, stack_id=stack_id)[-1]
            self.assertEqual((action, 'FAILED'), (
                event.resource_action, event.resource_status))

    def note(self, state):
        """Start a lock with level ``all`` and set the state of a resource."""
        done = self.lock(self.root_id, level='all')
        resource = mock.Mock(
            id=self.stacks.add_resource(self.root_id),
            stack=mock.Mock(id=self.root_id), resource_id='of-nova')
        resource.configure_mock(name='web')
        resource.type.return_value = 'OS::Nova::Server'
        resource_table.replace_rows(
            resource_table.Token(self.context, self.root_id,
                                 done.operation_id),
            {resource: (state, None)})
        return done

    def lock_all(self):
        """Lock with level ``all``, with a resource to release."""
        done = self.note(resource_states.PROTECTED)
        self.assertIsNotNone(lock_transaction.finish_tree(
            self.context, self.root_id, 'LOCK', done.operation_id))

    def test_lock_in_progress_is_not_failed(self):
        done = self.lock(self.root_id, level='all')
        self.look()
        self.assertEqual({('all', 'LOCK', 'IN_PROGRESS')}, self.states())
        resource_table.Token(self.context, self.root_id,
                             done.operation_id).check()

    def test_lock_without_thread_is_failed(self):
        self.lock(self.root_id, level='all')
        self.assert_failed('LOCK')

    def test_lock_continues_after_commit_without_answer(self):
        for level in 'stacks', 'all':
            with self.lose_answers():
                done = self.lock(self.root_id, level=level,
                                 check=refuse_in_progress)
            self.assertEqual(self.stack(self.root_id).lock_id, done.lock_id)
            self.look()
            self.assertNotIn('FAILED', [row.resource_status for row
                                        in self.stacks.rows(models.Event)])
        self.assertEqual({('all', 'LOCK', 'IN_PROGRESS')}, self.states())
        resource_table.Token(self.context, self.root_id,
                             done.operation_id).check()

    def test_started_resource_gets_event_if_lock_is_failed(self):
        self.note(resource_states.LOCKING)
        self.assert_failed('LOCK')
        event = self.stacks.rows(models.Event, stack_id=self.root_id)[-2]
        self.assertEqual(('web', 'of-nova', 'LOCK', 'FAILED'), (
            event.resource_name, event.physical_resource_id,
            event.resource_action, event.resource_status))
        row, = resource_table.read_tree(self.context, self.root_id).values()
        self.assertEqual((resource_states.LOCKING, lock_thread.LOST),
                         (row.state, row.reason))

    def test_lock_is_failed_if_database_is_down_after_commit(self):
        with self.lose_answers(is_once=False):
            self.assertRaises(
                db_exception.DBConnectionError, self.lock, self.root_id,
                level='all')
        self.assert_failed('LOCK')

    def test_unlock_continues_after_commit_without_answer(self):
        self.lock_all()
        with self.lose_answers():
            done = lock_transaction.unlock_tree(
                self.context, self.root_id, refuse_in_progress, base.ENGINE)
        self.look()
        self.assertEqual({('all', 'UNLOCK', 'IN_PROGRESS')}, self.states())
        resource_table.Token(self.context, self.root_id,
                             done.operation_id).check()

    def test_unlock_in_progress_is_not_failed(self):
        self.lock_all()
        operation = self.begin_unlock(self.root_id)
        self.look()
        self.assertEqual({('all', 'UNLOCK', 'IN_PROGRESS')}, self.states())
        self.assertTrue(left_operations.get_record(
            operation.operation_id).is_held)

    def test_lock_of_other_live_engine_is_not_failed(self):
        self.lock(self.root_id, level='all')
        with mock.patch('heat.common.service_utils.engine_alive'):
            lock_thread.fail_interrupted(self.sweep('other'))
        self.assertEqual({('all', 'LOCK', 'IN_PROGRESS')}, self.states())
