# SPDX-License-Identifier: Apache-2.0

"""Transactions are retried after deadlocks and failed certifications."""

from unittest import mock

import fixtures
from heat.db import api as db_api
from heat.db import models
from oslo_db import exception as db_exception
import psycopg2.errors
import pymysql
import sqlalchemy

from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operation_start
from heat_extras.stack_lock import write_criteria
from heat_extras.update_policy import update_check
from tests.database import base
from tests.database import prepared_writers
from tests.database import test_lock_pass
from tests.database import writers
from tests.harness import databases

_MYSQL = (1213, 'Deadlock found when trying to get lock; try restarting '
                'transaction')


def deadlock(engine):
    """Make the deadlock error of a server."""
    if engine.dialect.name == 'mysql':
        return pymysql.err.OperationalError(*_MYSQL)
    return psycopg2.errors.DeadlockDetected('deadlock detected')


class Failing(fixtures.Fixture):
    """Let statements, or commits, fail the first times.

    :param beginning: of the statement; None for the commit, where Galera
        finds that another node has changed the same rows.
    :param times: how often.
    """

    def __init__(self, engine, beginning, times):
        super().__init__()
        self.left = times
        self._engine = engine
        self._beginning = beginning

    def _setUp(self):
        if self._beginning is None:
            self._commit = self._engine.dialect.do_commit
            self.useFixture(fixtures.MockPatchObject(
                self._engine.dialect, 'do_commit', self._fail_commit))
            return
        # A bulk insert is the latter.
        for name in ('do_execute', 'do_executemany'):
            arguments = (self._engine, name, self._fail_statement)
            sqlalchemy.event.listen(*arguments)
            self.addCleanup(sqlalchemy.event.remove, *arguments)

    def _fail_statement(self, cursor, statement, parameters, context):
        if statement.startswith(self._beginning) and self.left:
            self._end(cursor)
            self._fail()

    def _end(self, cursor):
        # Earlier changes of the transaction are lost.
        if self._engine.dialect.name == 'mysql':
            cursor.connection.rollback()
            return
        try:
            cursor.execute('SELECT 1 / 0')
        except psycopg2.errors.DivisionByZero:
            """Each statement fails now until its end."""

    def _fail_commit(self, connection):
        self._fail()
        self._commit(connection)

    def _fail(self):
        if self.left:
            self.left -= 1
            raise deadlock(self._engine)


class DeadlockTest(base.DatabaseTest):

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        self.ids = self.stacks.add_tree(3, 2)

    def fail(self, beginning, times=3):
        return Failing(self.engine, beginning, times)

    def check_lock(self, beginning):
        with self.fail(beginning) as failing:
            self.lock(self.ids[0])
        self.assertEqual(0, failing.left)
        self.assertTrue(all(self.is_locked(id) for id in self.ids))
        self.assertEqual(len(self.ids) + 1, self.count_events('LOCK'))
        self.assertEqual([], self.stacks.rows(models.StackLock))
        self.assertEqual({9}, {row.atomic_key for row
                               in self.stacks.rows(models.Resource)})

    def count_events(self, action):
        return len(self.stacks.rows(models.Event, resource_action=action))

    def test_lock_is_retried_after_deadlock_at_first_write(self):
        self.check_lock('UPDATE resource')

    def test_lock_is_retried_after_deadlock_at_last_write(self):
        self.check_lock('INSERT INTO event')

    def test_lock_is_retried_after_deadlock_at_commit(self):
        self.check_lock(None)

    def test_unlock_is_retried_after_deadlock(self):
        self.lock(self.ids[0])
        for beginning in ('UPDATE stack', None):
            with self.fail(beginning) as failing:
                lock_transaction.unlock_tree(self.context, self.ids[0],
                                             base.allow)
            self.assertEqual(0, failing.left)
        self.assertFalse(any(self.is_locked(id) for id in self.ids))
        self.assertEqual(2 * (len(self.ids) + 1),
                         self.count_events('UNLOCK'))

    def test_permanent_deadlock_changes_nothing(self):
        before = self.stacks.dump()
        with self.fail(None, times=1000):
            self.assertRaises(db_exception.DBDeadlock, self.lock,
                              self.ids[0])
        self.assertEqual(before, self.stacks.dump())


class WriterTest(base.DatabaseTest):
    """Heat's writers, which a lock competes with."""

    scenarios = writers.scenarios(databases.SERVERS)

    def test_write_is_retried_after_deadlock_at_commit(self):
        writer = self.writer(self.stacks)
        before = self.stacks.dump()
        with Failing(self.engine, None, 2) as failing:
            self.assertTrue(writer.write(self.context))
        self.assertEqual(0, failing.left)
        self.assertNotEqual(before, self.stacks.dump())


class OuterTransactionTest(base.DatabaseTest):
    """The same writers in a transaction of their caller."""

    # Heat makes a replacement in a transaction of its own.
    scenarios = writers.scenarios(databases.SERVERS, [
        writer for writer in writers.ALL
        if writer is not prepared_writers.ResourceCreateReplacement])

    def test_deadlock_in_outer_transaction_is_raised(self):
        writer = self.writer(self.stacks)
        before = self.stacks.dump()

        def write():
            with db_api.context_manager.writer.using(self.context):
                writer.write(self.context)
        with Failing(self.engine, None, 1):
            self.assertRaises(db_exception.DBDeadlock, write)
        self.assertEqual(before, self.stacks.dump())


class OperationStartTest(test_lock_pass.LockPassTestCase):
    """Writes together with Heat's UPDATE that starts an operation.

    Heat tries its UPDATE again by itself: in a transaction that is over, and
    alone.
    """

    scenarios = databases.SERVERS

    def fail(self):
        self.addCleanup(lambda: self.assertEqual(0, failing.left))
        failing = self.useFixture(Failing(
            self.engine, 'UPDATE stack SET action', 2))

    def tagging(self):
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tags', return_value={'keep': False}))
        return write_criteria.changed(adds_tags_to=self.root_id,
                                      added_tags=['keep'])

    def tags(self):
        return [row.tag for row in self.stacks.rows(models.StackTag)]

    def test_pass_is_used_after_deadlock(self):
        self.grant()
        self.fail()
        self.use()
        self.assertEqual({(None, 'stacks')}, self.levels())
        self.assertIsNotNone(self.entry().pass_used_at)

    def test_pass_is_used_and_tag_is_set_after_deadlock(self):
        self.grant()
        self.fail()
        with self.tagging():
            self.use()
        self.assertEqual({(None, 'stacks')}, self.levels())
        self.assertEqual(['keep'], self.tags())

    def test_tag_is_set_after_deadlock(self):
        self.unlock()
        self.fail()
        with self.tagging():
            self.assertTrue(db_api.stack_update(
                self.context, self.root_id,
                {'action': 'UPDATE', 'status': 'IN_PROGRESS'}))
        self.assertEqual(['keep'], self.tags())


class FinalStateTest(base.DatabaseTest):

    scenarios = databases.SERVERS

    def test_write_is_retried_after_deadlock_at_commit(self):
        stack_id = self.stacks.add_stack()
        db_api.stack_lock_create(self.context, stack_id, base.ENGINE)
        with Failing(self.engine, None, 2) as failing:
            db_api.persist_state_and_release_lock(
                self.context, stack_id, base.ENGINE, {'status': 'FAILED'})
        self.assertEqual(0, failing.left)
        self.assertEqual('FAILED', self.stack(stack_id).status)
        self.assertEqual([], self.stacks.rows(models.StackLock))


class CleanupTest(base.DatabaseTest):
    """Cleanup of data stored by an operation that a lock rejected."""

    scenarios = databases.SERVERS

    def test_snapshot_is_deleted_after_deadlock(self):
        snapshot = self.stacks.add_snapshot(self.stacks.add_stack())
        with Failing(self.engine, None, 2) as failing:
            operation_start._delete_leftovers(
                mock.Mock(context=self.context), mock.Mock(), True, snapshot)
        self.assertEqual(0, failing.left)
        self.assertEqual([], self.stacks.rows(models.Snapshot))

    def test_template_is_deleted_after_deadlock(self):
        template = self.stacks.insert(models.RawTemplate, template={})
        lost = mock.Mock(context=self.context)
        with Failing(self.engine, None, 2) as failing:
            operation_start._delete_leftovers(lost, mock.Mock(id=template),
                                              False, None)
        self.assertEqual(0, failing.left)
        self.assertEqual([], self.stacks.rows(models.RawTemplate))

    def test_template_rejected_by_policy_is_deleted_after_deadlock(self):
        template = self.stacks.insert(models.RawTemplate, template={})
        refused = mock.Mock(context=self.context, status='COMPLETE')
        with Failing(self.engine, None, 2) as failing:
            update_check.fail_stack(refused, 'UPDATE', mock.Mock(id=template),
                                    'no')
        self.assertEqual(0, failing.left)
        self.assertEqual([], self.stacks.rows(models.RawTemplate))
