# SPDX-License-Identifier: Apache-2.0

"""Repeat writes that lost a row to another transaction.

Some functions of heat.db.api have a decorator that does the same.
"""

import functools

from heat.db import api as db_api
from oslo_db import exception as db_exception

from heat_extras.db import connection_errors


def on_db_error(write):
    """Decorate a writer that is repeated after a database error.

    It repeats the write also after errors that Heat's retry_on_db_error does
    not recognize, such as the error of a Galera node without quorum.
    """
    @functools.wraps(write)
    def attempt(*args, **kwargs):
        try:
            return write(*args, **kwargs)
        except Exception as error:
            if connection_errors.is_unavailable(error):
                raise db_exception.RetryRequest(error) from error
            raise
    return functools.wraps(write)(db_api.retry_on_db_error(attempt))


def retry_write(write, context, *args):
    """Call a writer, and repeat it if it lost a row to another transaction.

    Heat does so only for some of its writers, but each of them can lose a row
    to a lock. It is not repeated inside of a caller's transaction, which is
    lost as a whole.
    """
    if not is_in_transaction(context):
        write = on_db_error(write)
    return write(context, *args)


def without_retry(write):
    """Return a writer without Heat's own retries.

    Use it inside of a transaction: when the database has ended the
    transaction, a retry would write only the last part of it.
    """
    if getattr(write, '__code__', None) is _RETRYING_CODE:
        return write.__wrapped__
    return write


_RETRYING_CODE = db_api.retry_on_db_error(retry_write).__code__


def is_in_transaction(context):
    """Return whether a write belongs to a transaction of a caller."""
    return getattr(context, 'session', None) is not None
