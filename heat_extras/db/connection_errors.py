# SPDX-License-Identifier: Apache-2.0

"""Errors of a database driver: a database that is away, and comes back.

oslo_db.sqlalchemy.exc_filters knows a PostgreSQL that can't be reached by the
words of libpq before 14. It hands on SQLAlchemy's own error since.
"""

from oslo_db import exception as db_exception
import sqlalchemy.exc
import tenacity

# In seconds.
_PATIENCE = 3600
_LONGEST_WAIT = 15

# Of SQLSTATE: connection_exception, too_many_connections, and a server that
# is shut down, has crashed, or is about to serve (operator_intervention).
_SQLSTATES = ('08', '53300', '57P')
# ER_CON_COUNT_ERROR, ER_SERVER_SHUTDOWN, ER_ERROR_DURING_COMMIT, with which a
# node of Galera tells that it lost its quorum, and MariaDB's
# ER_CONNECTION_KILLED, which are in no list of oslo.db's and SQLAlchemy's.
_MYSQL = (1040, 1053, 1180, 1927)


def error_behind(error):
    """Return the driver's own exception.

    SQLAlchemy wraps it, and oslo.db wraps that.
    """
    error = getattr(error, 'inner_exception', None) or error
    return getattr(error, 'orig', None) or error


def is_away(error):
    """Return whether an error says that there is no database to talk to.

    The same statement will do once there is one.

    :param error: what was raised, or was raised because of that.
    """
    return any(_says_so(each) for each in _behind(error, []))


def _behind(error, found):
    # oslo.db, SQLAlchemy and the driver keep each other's in different places.
    if error is not None and error not in found:
        found.append(error)
        for name in ('inner_exception', 'orig', '__cause__'):
            _behind(getattr(error, name, None), found)
    return found


def _says_so(error):
    if isinstance(error, db_exception.DBConnectionError):
        return True
    if not isinstance(error, sqlalchemy.exc.DBAPIError):
        return False
    return error.connection_invalidated or (
        isinstance(error, sqlalchemy.exc.OperationalError)
        and _is_of_connection(error.orig))


def _is_of_connection(error):
    if not hasattr(error, 'pgcode'):
        return error.args[:1] and error.args[0] in _MYSQL
    # Without a SQLSTATE it is libpq's own: no server has answered, or one
    # would not be talked to.
    return error.pgcode is None or error.pgcode.startswith(_SQLSTATES)


#: Decorate what has to be written, or found out, however long the database
#: is away: nobody else would do it while this engine lives.
wait_out = tenacity.retry(
    retry=tenacity.retry_if_exception(is_away),
    wait=tenacity.wait_exponential(max=_LONGEST_WAIT),
    stop=tenacity.stop_after_delay(_PATIENCE), reraise=True)
