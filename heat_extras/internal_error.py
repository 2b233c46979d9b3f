# SPDX-License-Identifier: Apache-2.0

"""What a user reads of an unexpected error.

SQL statements, texts of database drivers and tracebacks are written to the
log only. A user reads one sentence, with the request ID to search for.

Pure: nothing of Heat is imported.
"""

import re

from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
from oslo_log import log as logging
import sqlalchemy.exc

LOG = logging.getLogger(__name__)

_DATABASE = (db_exception.DBError, db_exception.CantStartEngineError,
             sqlalchemy.exc.SQLAlchemyError)
# Others repeat such texts in their own: a ResourceFailure of Heat's, or the
# RemoteError of oslo.messaging.
_INTERNAL = re.compile(
    r'\[SQL[:\]]|\(Background on this error at'
    r'|Traceback \(most recent call last\)'
    r'|\((?:pymysql|MySQLdb|psycopg2?|sqlite3)\.')


def is_internal(error: BaseException) -> bool:
    """Return whether what an error says is for the log alone."""
    return isinstance(error, _DATABASE) or bool(_INTERNAL.search(str(error)))


def message_of(error: BaseException, what: str) -> str:
    """Return in one line what an error says, unless it is for the log.

    :param what: what did not work, like "lock of server web".
    """
    if is_internal(error):
        return unexpected(error, what)
    return ' '.join(str(error).split()) or type(error).__name__


def unexpected(error: BaseException, what: str) -> str:
    """Return a sentence about an error, and log all of it.

    :param what: as for :func:`message_of`.
    """
    return f'{what}: an unexpected error. {_logged(error, what)}'


def database_unavailable(error: BaseException, what: str) -> str:
    """Return a sentence about an unavailable database, and log the error.

    :param what: as for :func:`message_of`.
    """
    return (f'{what}: the Heat database is unavailable. The request might '
            'have been completed: check the stack before you retry. '
            f'{_logged(error, what)}')


def _logged(error: BaseException, what: str) -> str:
    context = oslo_context.get_current()
    request = getattr(context, 'request_id', None) or 'none'
    LOG.error('Unexpected error, request %(request)s: %(what)s',
              {'request': request, 'what': what}, exc_info=error)
    return f'See request {request} in the heat-engine log.'


def is_from_heat_extras(error: BaseException) -> bool:
    """Return whether heat-extras raised an error, and not Heat.

    Libraries below either do not count.
    """
    found, place = None, error.__traceback__
    while place is not None:
        name = place.tb_frame.f_globals.get('__name__', '')
        package = name.partition('.')[0]
        # That one only hands on what others raise.
        if (name != 'heat_extras.exception'
                and package in ('heat', 'heat_extras')):
            found = package
        place = place.tb_next
    return found == 'heat_extras'
