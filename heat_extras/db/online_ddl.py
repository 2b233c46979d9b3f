# SPDX-License-Identifier: Apache-2.0

"""Change Heat's tables without making Heat wait.

MySQL and MariaDB can add and drop columns in an instant, by changing only
their dictionary (``ALGORITHM=INSTANT``). They reject it on old servers, for
compressed tables, and after too many such changes. All other algorithms copy
the table, and Heat's writes must wait. The operator has to allow that.

A change also waits for every transaction that has read the table, such as a
backup, and all later transactions wait for the change. So the change waits
only for a short time.
"""

import contextlib

from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras import operator_errors

LOG = logging.getLogger(__name__)

# An attribute of alembic's configuration.
ALLOW_COPY = 'allow_copy'

# ER_UNKNOWN_ALTER_ALGORITHM, ER_ALTER_OPERATION_NOT_SUPPORTED,
# ER_ALTER_OPERATION_NOT_SUPPORTED_REASON, MySQL's ER_INNODB_MAX_ROW_VERSION,
# and MariaDB's ER_TOO_BIG_ROWSIZE: columns that were dropped in an instant
# still use space in a row. Other messages name an algorithm to try.
_REFUSALS = frozenset({1800, 1845, 1846, 4092, 1118})
_ADVICE = 'ALGORITHM='

# How long a change of a table waits for earlier transactions.
LOCK_WAIT_SECONDS = 10

_BEGIN = {
    # In whole seconds, for the lock on the table's metadata.
    'mysql': 'SET SESSION lock_wait_timeout = {seconds}',
    'postgresql': "SET lock_timeout = '{seconds}s'"}
_END = {'mysql': 'SET SESSION lock_wait_timeout = DEFAULT',
        'postgresql': 'SET lock_timeout = DEFAULT'}

# ER_LOCK_WAIT_TIMEOUT of MySQL and MariaDB, lock_not_available of PostgreSQL.
_MYSQL_TIMEOUT, _POSTGRESQL_TIMEOUT = 1205, '55P03'


class NotInstant(operator_errors.HeatExtrasError):
    """The server cannot change a table in an instant."""

    def __init__(self, table, reason):
        """Make the message.

        :param reason: the message of the server.
        """
        super().__init__(
            f'The database server cannot change the table "{table}" in an '
            f'instant: {reason}. The table was not changed. Run the command '
            'again with --allow-copy at a time of low load: the server then '
            "copies the table, and Heat's writes wait until the copy is "
            'complete.')


class TableBusy(operator_errors.HeatExtrasError):
    """Another transaction prevents the change of a table."""

    def __init__(self):
        super().__init__(
            'A table of Heat cannot be changed: another transaction, such as '
            f'a backup, has used the table for {LOCK_WAIT_SECONDS} s. The '
            'command stops, because queries of Heat would wait behind it. '
            'Find the transaction (SHOW FULL PROCESSLIST, or '
            'pg_stat_activity), and run the command again when the '
            'transaction has ended. Completed changes are kept.')


def refusal_reason(error):
    """Return why a server rejected ALGORITHM=INSTANT.

    :param error: the exception of SQLAlchemy or oslo.db for the statement.
    :returns: the message of the server, or None for any other error.
    """
    code, *words = connection_errors.driver_error(error).args or (None,)
    reason = ' '.join(str(word) for word in words)
    if code in _REFUSALS or _ADVICE in reason:
        return reason.rstrip('.') or f'error {code}'
    return None


def may_copy(context):
    """Return whether the operator allowed to copy tables.

    :param context: alembic's migration context.
    """
    return bool(context.config.attributes.get(ALLOW_COPY))


def log_instant(table):
    """Log that a table was changed without a copy."""
    LOG.info('Changed the table "%s" in an instant, without a copy.', table)


def log_copy(table, reason):
    """Log that a table is going to be copied, and why."""
    LOG.warning('Copying the table "%(table)s", because the database '
                'server cannot change it without a copy: %(reason)s',
                {'table': table, 'reason': reason})


@contextlib.contextmanager
def short_wait_transaction(engine):
    """Begin a transaction that waits only a short time for locks.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: a context manager with the connection.
    :raises TableBusy: if a table is locked for longer.
    """
    with engine.connect() as connection:
        _set_timeout(connection, _BEGIN)
        try:
            with connection.begin():
                yield connection
        except Exception as error:
            if _is_timeout(connection_errors.driver_error(error)):
                raise TableBusy() from error
            raise
        finally:
            # The connection returns to the pool.
            _set_timeout(connection, _END)


def _set_timeout(connection, statements):
    statement = statements.get(connection.dialect.name)
    if statement:
        with connection.begin():
            connection.execute(sqlalchemy.text(
                statement.format(seconds=LOCK_WAIT_SECONDS)))


def _is_timeout(error):
    return (error.args[:1] == (_MYSQL_TIMEOUT,)
            or getattr(error, 'pgcode', None) == _POSTGRESQL_TIMEOUT)
