# SPDX-License-Identifier: Apache-2.0

"""Prepare SQLite for many threads.

Transactions in Heat start with a read and continue with a write. While another
thread writes, SQLite cannot change a reading transaction to a writing one: it
fails immediately with "database is locked", without the busy timeout. Here
every transaction takes the write lock when it begins. So the busy timeout
applies, and the threads wait for each other.

SQLite also uses the ID of a deleted row for the next row, unless the table has
AUTOINCREMENT. Heat deletes a row of resource_properties_data (cached
attributes) after it has created another row (new properties). With the same
ID, it would delete the new row, and the next update of the resource would find
no properties.
"""

import contextlib
import sqlite3
import time

import sqlalchemy
from sqlalchemy import pool

from heat_extras.sandbox import state_directory

_POLL_SECONDS = 0.005
# The number of kept connections. A busy Heat opens more, and closes them after
# use.
_KEPT = 20

_WAIT = 'PRAGMA busy_timeout=%d' % (state_directory.BUSY_SECONDS * 1000)
_DO_NOT_WAIT = 'PRAGMA busy_timeout=0'
_CONNECTION_PRAGMAS = (
    'PRAGMA journal_mode=WAL',
    # With a write-ahead log, a power failure can lose the last transactions,
    # but cannot damage the file.
    'PRAGMA synchronous=NORMAL',
    _WAIT,
)


def prepare_engine(engine):
    """Prepare an engine for many threads, if the database is SQLite.

    :param engine: an engine of SQLAlchemy
    """
    if engine.dialect.name == 'sqlite':
        _keep_connections(engine)
    set_pragmas(engine)
    begin_with_write_lock(engine)


def begin_with_write_lock(engine):
    """Make each transaction of SQLite take the write lock when it begins.

    Other processes that write to the database of a sandbox also need this.
    """
    if engine.dialect.name == 'sqlite':
        sqlalchemy.event.listen(engine, 'do_execute', _begin_immediate)


def _keep_connections(engine):
    # oslo.db opens a connection for each transaction
    # (oslo_db.sqlalchemy.engines._init_connection_args). For each, SQLite
    # reads the schema again. When the last connection is closed, it writes
    # its log to the database. SQLAlchemy itself keeps connections to a file.
    if isinstance(engine.pool, pool.NullPool):
        engine.pool = pool.QueuePool(
            engine.pool._creator, pool_size=_KEPT, max_overflow=-1,
            dialect=engine.dialect, _dispatch=engine.pool.dispatch)


@contextlib.contextmanager
def never_reuse_ids():
    """Create tables that never reuse an ID, in a context manager."""
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
    """Set a write-ahead log and a busy timeout for connections of SQLite."""
    if engine.dialect.name == 'sqlite':
        sqlalchemy.event.listen(engine, 'connect', _set_pragmas)


def _set_pragmas(dbapi_connection, connection_record):
    for pragma in _CONNECTION_PRAGMAS:
        dbapi_connection.execute(pragma)


def _begin_immediate(cursor, statement, parameters, context):
    """Replace the BEGIN of oslo.db by BEGIN IMMEDIATE.

    See ``oslo_db.sqlalchemy.engines._sqlite_emit_begin``.

    :returns: True if the statement was executed here
    """
    if statement != 'BEGIN':
        return False
    # The busy timeout of SQLite itself would block all green threads.
    cursor.execute(_DO_NOT_WAIT)
    try:
        _begin_with_retry(cursor)
    finally:
        cursor.execute(_WAIT)
    return True


def _begin_with_retry(cursor):
    deadline = time.monotonic() + state_directory.BUSY_SECONDS
    while True:
        try:
            cursor.execute('BEGIN IMMEDIATE')
            return
        except sqlite3.OperationalError as error:
            # The error has a code only since Python 3.11.
            if ('locked' not in str(error)
                    or time.monotonic() > deadline):
                raise
        time.sleep(_POLL_SECONDS)
