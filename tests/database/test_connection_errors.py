# SPDX-License-Identifier: Apache-2.0

"""A database that is unavailable during a write, and is restarted."""

import contextlib
import os
import signal

from heat.db import api as db_api
from oslo_db import exception as db_exception
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras.stack_lock import lock_thread
from tests.database import base
from tests.database import race
from tests.harness import databases

TOLD = 'the image was in use'
WRONG = (db_exception.DBError, sqlalchemy.exc.ProgrammingError)


class OutageTest(base.DatabaseTest):

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        self.server = databases.server(self.kind)
        self.threads = self.useFixture(race.Threads())
        self.root = self.stacks.add_stack()
        # Later tests need the server.
        self.addCleanup(self.start)

    def start(self):
        if not self.server.process.is_running():
            self.server.start()

    @contextlib.contextmanager
    def away_at(self, event):
        """Stop the server once, at an event of the writer."""
        def stop(*arguments):
            if self.server.process.is_running():
                self.server.stop()
        sqlalchemy.event.listen(self.engine, event, stop)
        try:
            yield
        finally:
            sqlalchemy.event.remove(self.engine, event, stop)

    def begin(self):
        """Start a lock that calls services."""
        return self.lock(self.root, level='all')

    def end(self, begun):
        """Write the failure of the lock, in a thread."""
        return self.threads.start(
            lock_thread._write_end, self.new_context(), self.root, 'LOCK',
            begun.operation_id, TOLD, None)

    def assert_written(self, attempt):
        self.assertFalse(attempt.done(), attempt)
        self.start()
        attempt.result(race.SECONDS)
        lock = self.lock_row(self.root)
        self.assertEqual(('LOCK', 'FAILED', TOLD), (
            lock.action, lock.status, lock.status_reason))

    def test_lock_result_is_written_after_database_was_down(self):
        begun = self.begin()
        self.server.stop()
        attempt = self.end(begun)
        race.settle(attempt)
        self.assert_written(attempt)

    def test_lock_result_is_written_after_lost_connection(self):
        for event in ('after_cursor_execute', 'commit'):
            with self.subTest(event):
                self.database.empty()
                self.root = self.stacks.add_stack()
                begun = self.begin()
                with self.away_at(event):
                    attempt = self.end(begun)
                    race.settle(attempt)
                    self.server.process.wait_for_end()
                self.assert_written(attempt)

    def execute(self, statement):
        with db_api.context_manager.writer.independent.using(
                self.new_context()) as session:
            session.execute(sqlalchemy.text(statement))

    def test_statement_error_does_not_count_as_unavailable(self):
        for statement in ('SELECT 1 FROM nothing', 'GO HOME'):
            error = self.assertRaises(WRONG, self.execute, statement)
            self.assertFalse(connection_errors.is_unavailable(error))

    def test_server_shutting_down_counts_as_unavailable(self):
        if 'mariadb' in self.kind:
            self.skipTest('It waits for nobody.')
        with self.engine.connect():
            # Its smart shutdown.
            os.kill(self.server.process.pid, signal.SIGTERM)
            other = sqlalchemy.create_engine(
                self.engine.url, poolclass=sqlalchemy.NullPool)
            error = self.assertRaises(sqlalchemy.exc.OperationalError,
                                      self.connect_until_refused, other)
        self.assertIn('shutting down', str(error))
        self.assertTrue(connection_errors.is_unavailable(error))
        self.server.stop()

    def connect_until_refused(self, engine):
        for _ in range(race.SECONDS * 20):
            engine.connect().close()
