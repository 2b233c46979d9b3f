# SPDX-License-Identifier: Apache-2.0

"""What a person reads of an error that nobody foresaw.

Statements, a driver's words and tracebacks are for the log: they name what
is inside, and nobody can act on them. A reader gets a sentence, and what to
look for in the log.

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
_INSIDE = re.compile(
    r'\[SQL[:\]]|\(Background on this error at'
    r'|Traceback \(most recent call last\)'
    r'|\((?:pymysql|MySQLdb|psycopg2?|sqlite3)\.')


def is_inside(error: BaseException) -> bool:
    """Return whether what an error says is for the log alone."""
    return isinstance(error, _DATABASE) or bool(_INSIDE.search(str(error)))


def said(error: BaseException, what: str) -> str:
    """Return in one line what an error says, unless it is for the log.

    :param what: what did not work, like "lock of server web".
    """
    if is_inside(error):
        return plain(error, what)
    return ' '.join(str(error).split()) or type(error).__name__


def plain(error: BaseException, what: str) -> str:
    """Return a sentence about an error, and log all of it.

    :param what: as for :func:`said`.
    """
    return f'{what}: an unexpected error. {_logged(error, what)}'


def away(error: BaseException, what: str) -> str:
    """Return a sentence about a database that is away, and log all of it.

    :param what: as for :func:`said`.
    """
    return (f"{what}: Heat's database can't be used just now. Look whether it "
            f'was done, or ask again. {_logged(error, what)}')


def _logged(error: BaseException, what: str) -> str:
    context = oslo_context.get_current()
    request = getattr(context, 'request_id', None) or 'none'
    LOG.error('Unexpected error, request %(request)s: %(what)s',
              {'request': request, 'what': what}, exc_info=error)
    return ('The log of heat-engine tells more: look for request '
            f'{request}.')


def is_ours(error: BaseException) -> bool:
    """Return whether our code raised an error, and not Heat's.

    Libraries below either do not count.
    """
    found, place = None, error.__traceback__
    while place is not None:
        name = place.tb_frame.f_globals.get('__name__', '')
        package = name.partition('.')[0]
        # That one only hands on what others raise.
        if (name != 'heat_extras.unforeseen'
                and package in ('heat', 'heat_extras')):
            found = package
        place = place.tb_next
    return found == 'heat_extras'
