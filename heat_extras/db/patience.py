# SPDX-License-Identifier: Apache-2.0

"""Change Heat's tables without making Heat wait for us.

A change of a table waits for every transaction that has looked at it, a
backup's for instance, and all that come later wait behind the change. So it
waits for a short while only.
"""

import contextlib

import sqlalchemy

from heat_extras.db import driver
from heat_extras import errors

# How long a change of a table waits for the transactions before it.
SECONDS = 10

_BEGIN = {
    # Whole seconds, of the wait for a table's metadata.
    'mysql': 'SET SESSION lock_wait_timeout = {seconds}',
    'postgresql': "SET lock_timeout = '{seconds}s'"}
_END = {'mysql': 'SET SESSION lock_wait_timeout = DEFAULT',
        'postgresql': 'SET lock_timeout = DEFAULT'}

# ER_LOCK_WAIT_TIMEOUT of MySQL and MariaDB, lock_not_available of PostgreSQL.
_MYSQL, _POSTGRESQL = 1205, '55P03'


class TableBusy(errors.HeatExtrasError):
    """A transaction kept a table from being changed."""

    def __init__(self):
        super().__init__(
            f"Waited {SECONDS} s for a transaction that holds one of Heat's "
            'tables, wanted to change it. Heat would have had to wait behind '
            'us. Look for the transaction (SHOW FULL PROCESSLIST, or '
            'pg_stat_activity), a backup for instance, and run the command '
            'again when it is over: what is done already is kept.')


@contextlib.contextmanager
def short(engine):
    """Begin a transaction that waits for others only a short while.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: a context manager with the connection.
    :raises TableBusy: when that was not enough.
    """
    with engine.connect() as connection:
        _say(connection, _BEGIN)
        try:
            with connection.begin():
                yield connection
        except Exception as error:
            if _is_timeout(driver.error_behind(error)):
                raise TableBusy() from error
            raise
        finally:
            # The connection goes back into the engine's pool.
            _say(connection, _END)


def _say(connection, statements):
    statement = statements.get(connection.dialect.name)
    if statement:
        with connection.begin():
            connection.execute(sqlalchemy.text(
                statement.format(seconds=SECONDS)))


def _is_timeout(error):
    return (error.args[:1] == (_MYSQL,)
            or getattr(error, 'pgcode', None) == _POSTGRESQL)
