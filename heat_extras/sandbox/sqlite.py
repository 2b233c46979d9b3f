# SPDX-License-Identifier: Apache-2.0

"""SQLite under many threads.

Heat's threads start transactions with a read and go on to write. SQLite
refuses to turn a reading transaction into a writing one while another
thread writes, at once and whatever the busy timeout is ("database is
locked"). Here every transaction takes the write lock when it begins, so
that the busy timeout applies and the threads queue up.

SQLite also gives the id of a row that was deleted to the next one, unless
the table says AUTOINCREMENT. Heat deletes a row of resource_properties_data
(cached attributes) after it has made another (new properties), and would
delete the new one: the next update of that resource finds no properties.
"""

import contextlib
import sqlite3
import sys
import time

import sqlalchemy
from sqlalchemy import pool

from heat_extras.sandbox import state_directory

_POLL_SECONDS = 0.005
# Connections; a busy Heat opens more, and closes them after use.
_KEPT = 20

_WAIT = 'PRAGMA busy_timeout=%d' % (state_directory.BUSY_SECONDS * 1000)
_DO_NOT_WAIT = 'PRAGMA busy_timeout=0'
_CONNECTION_PRAGMAS = (
    'PRAGMA journal_mode=WAL',
    # Safe with a write-ahead log: a power cut can lose the last
    # transactions, it can't damage the file.
    'PRAGMA synchronous=NORMAL',
    _WAIT,
)


def install(context_manager):
    """Prepare the engine that *context_manager* is going to create.

    :param context_manager: oslo.db's, ``heat.db.api.context_manager``
    """
    context_manager.append_on_engine_create(prepare_engine)


def prepare_engine(engine):
    """Make *engine* fit for many threads; others than SQLite are left alone.

    :param engine: SQLAlchemy engine, made by oslo.db or by hand
    """
    if engine.dialect.name != 'sqlite':
        return
    _keep_connections(engine)
    sqlalchemy.event.listen(engine, 'connect', _set_pragmas)
    take_turns(engine)


def take_turns(engine):
    """Let each transaction take the write lock when it begins.

    For a process of its own beside the sandbox, too; others than SQLite are
    left alone.
    """
    if engine.dialect.name == 'sqlite':
        sqlalchemy.event.listen(engine, 'do_execute', _begin_immediate)


def _keep_connections(engine):
    # oslo.db opens a connection for each transaction
    # (oslo_db.sqlalchemy.engines._init_connection_args), and SQLite reads the
    # schema anew for each. For a file, SQLAlchemy itself would keep them.
    if isinstance(engine.pool, pool.NullPool):
        engine.pool = pool.QueuePool(
            engine.pool._creator, pool_size=_KEPT, max_overflow=-1,
            dialect=engine.dialect, _dispatch=engine.pool.dispatch)


@contextlib.contextmanager
def fresh_ids():
    """Let the tables that are created meanwhile use no id twice."""
    sqlalchemy.event.listen(sqlalchemy.Table, 'before_create',
                            _set_autoincrement)
    try:
        yield
    finally:
        sqlalchemy.event.remove(sqlalchemy.Table, 'before_create',
                                _set_autoincrement)


def _set_autoincrement(table, connection, **options):
    table.dialect_options['sqlite']['autoincrement'] = True


def hold_open(path):
    """Open a connection that keeps the write-ahead log in place.

    oslo.db pools no SQLite connections (``_init_connection_args``), and
    SQLite folds the log into the database whenever the last one is closed:
    that would be after nearly every transaction of a quiet Heat.

    :param path: the database file
    :returns: the connection, to be kept for as long as Heat runs
    """
    connection = sqlite3.connect(path, check_same_thread=False)
    for pragma in _CONNECTION_PRAGMAS:
        connection.execute(pragma)
    connection.execute('SELECT count(*) FROM sqlite_master').fetchall()
    return connection


def _set_pragmas(dbapi_connection, connection_record):
    for pragma in _CONNECTION_PRAGMAS:
        dbapi_connection.execute(pragma)


def _begin_immediate(cursor, statement, parameters, context):
    """Strengthen the plain BEGIN that oslo.db emits as a statement.

    See ``oslo_db.sqlalchemy.engines._sqlite_emit_begin``.

    :returns: True if the statement was executed here
    """
    if statement != 'BEGIN':
        return False
    if are_threads_green():
        cursor.execute(_DO_NOT_WAIT)
        try:
            _begin_in_turn(cursor)
        finally:
            cursor.execute(_WAIT)
    else:
        cursor.execute('BEGIN IMMEDIATE')
    return True


def _begin_in_turn(cursor):
    deadline = time.monotonic() + state_directory.BUSY_SECONDS
    while True:
        try:
            cursor.execute('BEGIN IMMEDIATE')
            return
        except sqlite3.OperationalError as error:
            # Its code comes with Python 3.11 only.
            if ('locked' not in str(error)
                    or time.monotonic() > deadline):
                raise
        time.sleep(_POLL_SECONDS)


def are_threads_green():
    """Return whether the threads of this process are eventlet's."""
    patcher = sys.modules.get('eventlet.patcher')
    return patcher is not None and patcher.is_monkey_patched('thread')
