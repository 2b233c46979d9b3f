# SPDX-License-Identifier: Apache-2.0

"""Messages to users about unexpected errors.

SQL statements, texts of database drivers and tracebacks are written only to
the log. A user sees one sentence, with the request ID to search for.

Pure: does not import Heat.
"""

import re

from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
from oslo_log import log as logging
import sqlalchemy.exc

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
