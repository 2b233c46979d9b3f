# SPDX-License-Identifier: Apache-2.0

"""Write the final status of an operation, whatever its reason contains.

If the final status cannot be written, the thread of the operation ends, and
the stack stays IN_PROGRESS until the engine stops.
"""

from oslo_db import exception as db_exception
from oslo_log import log as logging
import sqlalchemy.exc

from heat_extras.db import charset
from heat_extras.db import connection_errors

LOG = logging.getLogger(__name__)

# Errors of drivers for a value that they cannot send, or that a column
# cannot store.
_UNSTORABLE = (db_exception.DBError, db_exception.DBInvalidUnicodeParameter,
               sqlalchemy.exc.StatementError,
               UnicodeError, ValueError, TypeError)


def plain_reason(action, status):
    """Return a status reason that every database can store."""
    return (f'Stack {action} {status}. The reason could not be stored: it is '
            'in the log of heat-engine.')


def write_status(original, action, status, reason):
    """Write a final status, with a plain reason if the reason is rejected.

    :param original: a function like Stack.state_set, with the arguments
        action, status and reason.
    :returns: the result of *original*.
    """
    try:
        return original(action, status, charset.storable(reason))
    except _UNSTORABLE as error:
        if _is_retriable(error):
            raise
        _log_reason(action, status, reason)
        return original(action, status, plain_reason(action, status))


def write_stack(stack, original, *args, **kwargs):
    """Write a stack, with a plain reason if its reason is rejected.

    :param original: a function like Stack.store, which writes
        ``stack.status_reason``.
    :returns: the result of *original*.
    """
    stack.status_reason = charset.storable(stack.status_reason)
    try:
        return original(*args, **kwargs)
    except _UNSTORABLE as error:
        if _is_retriable(error):
            raise
        _log_reason(stack.action, stack.status, stack.status_reason)
        stack.status_reason = plain_reason(stack.action, stack.status)
        return original(*args, **kwargs)


def _is_retriable(error):
    # Heat's retry_on_db_error repeats the write with the same values.
    return (isinstance(error, db_exception.DBDeadlock)
            or connection_errors.is_unavailable(error))


def _log_reason(action, status, reason):
    LOG.exception('The reason of %(action)s %(status)s could not be stored: '
                  '%(reason)s', {'action': action, 'status': status,
                                 'reason': ascii(reason)})
