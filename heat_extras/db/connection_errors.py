# SPDX-License-Identifier: Apache-2.0

"""Recognize errors of database drivers for an unavailable database.

oslo_db.sqlalchemy.exc_filters recognizes an unavailable PostgreSQL only by the
messages of libpq before 14. For a newer libpq, SQLAlchemy's own error is
raised.
"""

from oslo_db import exception as db_exception
import sqlalchemy.exc
import tenacity

# In seconds.
_RETRY_SECONDS = 3600
_LONGEST_WAIT = 15

# SQLSTATE: connection_exception, too_many_connections, and
# operator_intervention for a server that shuts down, has crashed, or is
# starting.
_SQLSTATES = ('08', '53300', '57P')
# ER_CON_COUNT_ERROR, ER_SERVER_SHUTDOWN, ER_ERROR_DURING_COMMIT, which a
# Galera node without quorum raises, and MariaDB's ER_CONNECTION_KILLED. They
# are not in the lists of oslo.db and SQLAlchemy.
_MYSQL = (1040, 1053, 1180, 1927)


def driver_error(error):
    """Return the driver's own exception.

    SQLAlchemy and oslo.db wrap it.
    """
    error = getattr(error, 'inner_exception', None) or error
    return getattr(error, 'orig', None) or error


def is_unavailable(error):
    """Return whether an error means that the database is unavailable.

    The same statement can succeed when the database is available again.

    :param error: the error, or an error that was raised because of it.
    """
    return any(_is_connection_error(each) for each in _list_causes(error, []))


def _list_causes(error, causes):
    # oslo.db, SQLAlchemy and the driver use different attributes.
    if error is not None and error not in causes:
        causes.append(error)
        for name in ('inner_exception', 'orig', '__cause__'):
            _list_causes(getattr(error, name, None), causes)
    return causes


def _is_connection_error(error):
    if isinstance(error, db_exception.DBConnectionError):
        return True
    if not isinstance(error, sqlalchemy.exc.DBAPIError):
        return False
    return error.connection_invalidated or (
        isinstance(error, sqlalchemy.exc.OperationalError)
        and _has_connection_code(error.orig))


def _has_connection_code(error):
    if not hasattr(error, 'pgcode'):
        return error.args[:1] and error.args[0] in _MYSQL
    # An error without SQLSTATE is from libpq: no server has answered, or the
    # server rejected the connection.
    return error.pgcode is None or error.pgcode.startswith(_SQLSTATES)


#: A decorator for a read or write that must succeed, however long the database
#: is unavailable: while this engine lives, no other engine repeats it.
retry_until_available = tenacity.retry(
    retry=tenacity.retry_if_exception(is_unavailable),
    wait=tenacity.wait_exponential(max=_LONGEST_WAIT),
    stop=tenacity.stop_after_delay(_RETRY_SECONDS), reraise=True)
