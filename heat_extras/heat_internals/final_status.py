# SPDX-License-Identifier: Apache-2.0

"""The end of an operation, which is written whatever its reason says.

The thread of an operation ends when its outcome can't be written, and the
stack stays IN_PROGRESS as long as the engine lives: nobody else writes it.
"""

from oslo_db import exception as db_exception
from oslo_log import log as logging
import sqlalchemy.exc

from heat_extras.db import charset
from heat_extras.db import connection_errors

LOG = logging.getLogger(__name__)

# What drivers make of a value that they can't send; and what a column does
# not take.
_UNSTORABLE = (db_exception.DBError, db_exception.DBInvalidUnicodeParameter,
               sqlalchemy.exc.StatementError,
               UnicodeError, ValueError, TypeError)


def plain(action, status):
    """Return a reason that every database takes."""
    return (f'Stack {action} {status}. The reason could not be stored: it is '
            'in the log of heat-engine.')


def write(original, action, status, reason):
    """Write the end of an operation; once more when it is not stored.

    :param original: takes action, status and reason; like Stack.state_set.
    :returns: what it returned.
    """
    try:
        return original(action, status, charset.storable(reason))
    except _UNSTORABLE as error:
        if _is_passing(error):
            raise
        _log(action, status, reason)
        return original(action, status, plain(action, status))


def keep(stack, original, *args, **kwargs):
    """Write a stack with the reason that it has; once more, as above.

    :param original: writes ``stack.status_reason``, like Stack.store.
    :returns: what it returned.
    """
    stack.status_reason = charset.storable(stack.status_reason)
    try:
        return original(*args, **kwargs)
    except _UNSTORABLE as error:
        if _is_passing(error):
            raise
        _log(stack.action, stack.status, stack.status_reason)
        stack.status_reason = plain(stack.action, stack.status)
        return original(*args, **kwargs)


def _is_passing(error):
    # To be tried with the same values, as by Heat's own retry_on_db_error.
    return (isinstance(error, db_exception.DBDeadlock)
            or connection_errors.is_away(error))


def _log(action, status, reason):
    LOG.exception('The reason of %(action)s %(status)s could not be stored: '
                  '%(reason)s', {'action': action, 'status': status,
                                 'reason': ascii(reason)})
