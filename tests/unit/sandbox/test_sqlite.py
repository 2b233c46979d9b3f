# SPDX-License-Identifier: Apache-2.0

import os
import sqlite3
import subprocess
import sys
import threading
import time

import fixtures
from oslo_db.sqlalchemy import enginefacade
import sqlalchemy
import testtools

from heat_extras.sandbox import sqlite
from heat_extras.sandbox import state_directory

THREADS = 8
ROUNDS = 25

_AS_A_SANDBOX = """\
from heat_extras.sandbox import interpreter
interpreter.prepare()
import unittest
unittest.main('tests.unit.sandbox.test_sqlite', argv=['', 'SqliteTest'])
"""


class SqliteTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        place = self.useFixture(fixtures.TempDir()).path
        self.path = os.path.join(place, 'test.sqlite3')
        manager = enginefacade.transaction_context()
        manager.configure(connection='sqlite:///' + self.path)
        manager.append_on_engine_create(sqlite.prepare_engine)
        self.engine = manager.writer.get_engine()
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text('CREATE TABLE t (n INTEGER)'))
            connection.execute(sqlalchemy.text('INSERT INTO t VALUES (0)'))

    def _pragma(self, name):
        with self.engine.connect() as connection:
            return connection.execute(
                sqlalchemy.text('PRAGMA ' + name)).scalar()

    def test_journal_is_a_write_ahead_log(self):
        self.assertEqual('wal', self._pragma('journal_mode'))

    def test_connections_have_busy_timeout(self):
        self.assertEqual(state_directory.BUSY_SECONDS * 1000,
                         self._pragma('busy_timeout'))

    def test_transactions_begin_with_the_write_lock(self):
        statements = []
        with self.engine.connect() as connection:
            raw = connection.connection.dbapi_connection
            raw.set_trace_callback(statements.append)
            connection.execute(sqlalchemy.text('SELECT n FROM t'))
        self.assertEqual(['BEGIN IMMEDIATE', 'SELECT n FROM t'], [
            each for each in statements if 'PRAGMA' not in each][:2])

    def test_connections_are_reused(self):
        def used():
            with self.engine.connect() as connection:
                return connection.connection.dbapi_connection

        self.assertIs(used(), used())

    def test_reused_connection_reads_writes_of_others(self):
        def read():
            with self.engine.connect() as connection:
                return connection.execute(
                    sqlalchemy.text('SELECT n FROM t')).scalar()

        self.assertEqual(0, read())
        with sqlite3.connect(self.path) as other:
            other.execute('UPDATE t SET n = 7')
        other.close()
        self.assertEqual(7, read())

    def test_threads_that_read_and_then_write_all_succeed(self):
        errors = []

        def count():
            try:
                for _round in range(ROUNDS):
                    self._increment()
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=count) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], errors)
        with self.engine.connect() as connection:
            self.assertEqual(THREADS * ROUNDS, connection.execute(
                sqlalchemy.text('SELECT n FROM t')).scalar())

    def test_waiting_thread_lets_other_threads_run(self):
        begun = threading.Event()

        def hold():
            with self.engine.begin():
                begun.set()
                # Green threads switch only at a call like this.
                time.sleep(0.1)

        holder = threading.Thread(target=hold)
        holder.start()
        begun.wait(10)
        # Fails with "database is locked" if the holder cannot continue.
        self._increment()
        holder.join()

    def test_write_ahead_log_is_kept(self):
        self._increment()
        self.assertTrue(os.path.exists(self.path + '-wal'))

    def test_ids_are_not_reused(self):
        table = sqlalchemy.Table(
            'ids', sqlalchemy.MetaData(),
            sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True))
        with sqlite.never_reuse_ids():
            table.create(self.engine)
        with self.engine.begin() as connection:
            first = connection.execute(
                table.insert()).inserted_primary_key[0]
            connection.execute(table.delete())
            self.assertEqual([first + 1], list(connection.execute(
                table.insert()).inserted_primary_key))

    def test_other_databases_are_unchanged(self):
        engine = sqlalchemy.create_mock_engine('mysql://', None)
        sqlite.prepare_engine(engine)
        # The engine that the sandbox creates itself, without Heat.
        sqlite.set_pragmas(engine)

    def _increment(self):
        with self.engine.begin() as connection:
            number = connection.execute(
                sqlalchemy.text('SELECT n FROM t')).scalar()
            connection.execute(
                sqlalchemy.text('UPDATE t SET n = :n'), {'n': number + 1})


class SandboxThreadsTest(testtools.TestCase):
    """The tests above with the thread type of a sandbox of this Heat."""

    def test_sqlite_tests_pass_with_threads_of_sandbox(self):
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', _AS_A_SANDBOX],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=120)
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertIn('OK', done.stdout)
