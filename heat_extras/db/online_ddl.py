# SPDX-License-Identifier: Apache-2.0

"""Changes of Heat's tables that do not make Heat wait.

MySQL and MariaDB can add and drop columns by changing their dictionary only
(``ALGORITHM=INSTANT``), which they refuse where they can't: old servers,
compressed tables, too many changes of the kind before. The other ways copy
the table, and Heat's writes wait meanwhile: that is for the operator to
decide.

A change also waits for every transaction that has read the table, a backup's
for instance, and all later ones wait behind the change. So it waits for a
short while only.
"""

import contextlib

from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras import errors

LOG = logging.getLogger(__name__)

# Among the attributes of alembic's configuration.
ALLOW_COPY = 'allow_copy'

# ER_UNKNOWN_ALTER_ALGORITHM, ER_ALTER_OPERATION_NOT_SUPPORTED,
# ER_ALTER_OPERATION_NOT_SUPPORTED_REASON, and MySQL's
# ER_INNODB_MAX_ROW_VERSION; MariaDB's ER_TOO_BIG_ROWSIZE, for columns that
# were dropped in an instant still take their place in a row. Others say
# which algorithm to try.
_REFUSALS = frozenset({1800, 1845, 1846, 4092, 1118})
_ADVICE = 'ALGORITHM='

# How long a change of a table waits for the transactions before it.
LOCK_WAIT_SECONDS = 10

_BEGIN = {
    # Whole seconds, of the wait for a table's metadata.
    'mysql': 'SET SESSION lock_wait_timeout = {seconds}',
    'postgresql': "SET lock_timeout = '{seconds}s'"}
_END = {'mysql': 'SET SESSION lock_wait_timeout = DEFAULT',
        'postgresql': 'SET lock_timeout = DEFAULT'}

# ER_LOCK_WAIT_TIMEOUT of MySQL and MariaDB, lock_not_available of PostgreSQL.
_MYSQL_TIMEOUT, _POSTGRESQL_TIMEOUT = 1205, '55P03'


class NotInstant(errors.HeatExtrasError):
    """The server cannot change a table in an instant."""

    def __init__(self, table, reason):
        """Tell what to do instead.

        :param reason: the server's own words.
        """
        super().__init__(
            f'The database server cannot change the table "{table}" in an '
            f'instant: {reason}. The table is as it was. Run the command '
            'again with --allow-copy at a quiet time: the server then '
            "copies the table, and Heat's writes wait until that is done.")


class TableBusy(errors.HeatExtrasError):
    """A transaction kept a table from being changed."""

    def __init__(self):
        super().__init__(
            f'Waited {LOCK_WAIT_SECONDS} s for a transaction that holds one '
            "of Heat's tables, wanted to change it. Heat would have had to "
            'wait behind us. Find the transaction (SHOW FULL PROCESSLIST, or '
            'pg_stat_activity), a backup for instance, and run the command '
            'again after its end: what is done already is kept.')


def refusal(error):
    """Tell why a server refused ALGORITHM=INSTANT.

    :param error: what SQLAlchemy or oslo.db raised for the statement.
    :returns: the server's words, or None for an error of another kind.
    """
    code, *words = connection_errors.error_behind(error).args or (None,)
    reason = ' '.join(str(word) for word in words)
    if code in _REFUSALS or _ADVICE in reason:
        return reason.rstrip('.') or f'error {code}'
    return None


def may_copy(context):
    """Return whether the operator allowed a copy.

    :param context: alembic's migration context.
    """
    return bool(context.config.attributes.get(ALLOW_COPY))


def say_instant(table):
    """Tell that a table was changed without a copy."""
    LOG.info('Changed the table "%s" in an instant, without a copy.', table)


def say_copied(table, reason):
    """Tell that a table is going to be copied, and why."""
    LOG.warning('Copying the table "%(table)s", because the server cannot '
                'change it in an instant: %(reason)s',
                {'table': table, 'reason': reason})


@contextlib.contextmanager
def transaction(engine):
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
            if _is_timeout(connection_errors.error_behind(error)):
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
                statement.format(seconds=LOCK_WAIT_SECONDS)))


def _is_timeout(error):
    return (error.args[:1] == (_MYSQL_TIMEOUT,)
            or getattr(error, 'pgcode', None) == _POSTGRESQL_TIMEOUT)
