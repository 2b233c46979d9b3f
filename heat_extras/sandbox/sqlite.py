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


def prepare_engine(engine):
    """Prepare an engine for many threads, if it is one of SQLite.

    :param engine: SQLAlchemy engine, made by oslo.db or by hand
    """
    if engine.dialect.name == 'sqlite':
        _keep_connections(engine)
    set_pragmas(engine)
    begin_with_write_lock(engine)


def begin_with_write_lock(engine):
    """Let each transaction of SQLite take the write lock when it begins.

    Other processes that write beside a sandbox need this as well.
    """
    if engine.dialect.name == 'sqlite':
        sqlalchemy.event.listen(engine, 'do_execute', _begin_immediate)


def _keep_connections(engine):
    # oslo.db opens a connection for each transaction
    # (oslo_db.sqlalchemy.engines._init_connection_args), and SQLite reads the
    # schema anew for each, and folds its log into the database when the last
    # connection is closed. For a file, SQLAlchemy itself would keep them.
    if isinstance(engine.pool, pool.NullPool):
        engine.pool = pool.QueuePool(
            engine.pool._creator, pool_size=_KEPT, max_overflow=-1,
            dialect=engine.dialect, _dispatch=engine.pool.dispatch)


@contextlib.contextmanager
def never_reuse_ids():
    """Create tables that use no id twice, in a context manager."""
    sqlalchemy.event.listen(sqlalchemy.Table, 'before_create',
                            _set_autoincrement)
    try:
        yield
    finally:
        sqlalchemy.event.remove(sqlalchemy.Table, 'before_create',
                                _set_autoincrement)


def _set_autoincrement(table, connection, **options):
    table.dialect_options['sqlite']['autoincrement'] = True


def set_pragmas(engine):
    """Let each connection of SQLite use a log and a busy timeout."""
    if engine.dialect.name == 'sqlite':
        sqlalchemy.event.listen(engine, 'connect', _set_pragmas)


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
    # SQLite itself waits without letting a green thread run.
    cursor.execute(_DO_NOT_WAIT)
    try:
        _begin_in_turn(cursor)
    finally:
        cursor.execute(_WAIT)
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
