# SPDX-License-Identifier: Apache-2.0

"""Convert errors of requests, in the engine and in the API.

SQL statements, texts of database drivers and tracebacks are written only to
the log. A user sees one sentence, with the request ID to search for.
"""

import contextlib
import re

from heat.common import exception as heat_exception
from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher
import sqlalchemy.exc

from heat_extras.db import connection_errors
from heat_extras import exception

LOG = logging.getLogger(__name__)


_DATABASE = (db_exception.DBError, db_exception.CantStartEngineError,
             sqlalchemy.exc.SQLAlchemyError)
# Other exceptions repeat such texts in their own text, like Heat's
# ResourceFailure and the RemoteError of oslo.messaging.
_INTERNAL = re.compile(
    r'\[SQL[:\]]|\(Background on this error at'
    r'|Traceback \(most recent call last\)'
    r'|\((?:pymysql|MySQLdb|psycopg2?|sqlite3)\.')


def is_internal(error: BaseException) -> bool:
    """Return whether the text of an error may only be logged."""
    return isinstance(error, _DATABASE) or bool(_INTERNAL.search(str(error)))


def message_of(error: BaseException, operation: str) -> str:
    """Return the text of an error in one line, unless it is internal.

    :param operation: the name of the failed operation, like "lock of server
        web".
    """
    if is_internal(error):
        return log_unexpected(error, operation)
    return ' '.join(str(error).split()) or type(error).__name__


def log_unexpected(error: BaseException, operation: str) -> str:
    """Return a sentence about an unexpected error, and log the error.

    :param operation: as for :func:`message_of`.
    """
    return (f'{operation}: an unexpected error occurred. '
            f'{_log(error, operation)}')


def log_database_unavailable(error: BaseException, operation: str) -> str:
    """Return a sentence about an unavailable database, and log the error.

    :param operation: as for :func:`message_of`.
    """
    return (f'{operation}: the Heat database is unavailable. The request '
            'might have been completed: check the stack before you retry. '
            f'{_log(error, operation)}')


def _log(error: BaseException, operation: str) -> str:
    context = oslo_context.get_current()
    request = getattr(context, 'request_id', None) or 'none'
    LOG.error('Unexpected error, request %(request)s: %(operation)s',
              {'request': request, 'operation': operation}, exc_info=error)
    return (f'The cause is in the heat-engine log, with request {request}. '
            'Ask the operator of this Heat.')


def is_from_heat_extras(error: BaseException) -> bool:
    """Return whether heat-extras raised an error, and not Heat.

    An error of a library is an error of its caller among the two.
    """
    last_package, place = None, error.__traceback__
    while place is not None:
        name = place.tb_frame.f_globals.get('__name__', '')
        package = name.partition('.')[0]
        # This module only replaces errors of others.
        if (name != 'heat_extras.heat_internals.rpc_errors'
                and package in ('heat', 'heat_extras')):
            last_package = package
        place = place.tb_next
    return last_package == 'heat_extras'


@contextlib.contextmanager
def as_expected_exception():
    """Raise Heat's exceptions as expected exceptions.

    The RPC server does not log them. It does the same as
    heat.common.context.request_context, for an exception that is raised
    outside of that decorator.
    """
    try:
        yield
    except heat_exception.HeatException as error:
        raise dispatcher.ExpectedException() from error


def cause_of(error):
    """Return the exception that an expected exception wraps, or *error*."""
    return (error.exc_info[1]
            if isinstance(error, dispatcher.ExpectedException) else error)


@contextlib.contextmanager
def hide_internal_errors(request, is_own=False):
    """Replace errors of heat-extras' own code by a sentence, and log them.

    Errors of Heat are raised unchanged.

    :param request: the name of the request, like "lock".
    :param is_own: whether Heat without heat-extras has no such request. If
        so, report an unavailable database also if Heat's code noticed it.
    :raises GuardFailed: in place of an unexpected error.
    :raises DatabaseAway: in place of an error of an unavailable database.
    """
    try:
        yield
    except (heat_exception.HeatException, dispatcher.ExpectedException):
        # An ExpectedException wraps a HeatException that the RPC server does
        # not log.
        raise
    except Exception as error:
        if not (is_from_heat_extras(error)
                or is_own and _is_database_unavailable(error)):
            raise
        if _is_database_unavailable(error):
            raise exception.DatabaseAway(
                message=log_database_unavailable(error, request)
            ) from None
        # Without its cause: oslo.messaging would also send the cause's text.
        raise exception.GuardFailed(
            message=log_unexpected(error, request)) from None


def _is_database_unavailable(error):
    # A node of Galera that is about to lose its quorum reports a deadlock.
    return (isinstance(error, db_exception.DBDeadlock)
            or connection_errors.is_unavailable(error))
