# SPDX-License-Identifier: Apache-2.0

"""Writes that lose a row to another transaction, as Heat tries them again.

heat.db.api has a decorator for that, which some of its writers wear.
"""

import functools

from heat.db import api as db_api
from oslo_db import exception as db_exception

from heat_extras.db import connection_errors


def on_db_error(write):
    """Decorate a writer that is tried again, as Heat's retry_on_db_error.

    Also where the database is away in words that this does not know: those of
    a node of Galera that loses its quorum at a commit, for one.
    """
    @functools.wraps(write)
    def attempt(*args, **kwargs):
        try:
            return write(*args, **kwargs)
        except Exception as error:
            if connection_errors.is_away(error):
                raise db_exception.RetryRequest(error) from error
            raise
    return functools.wraps(write)(db_api.retry_on_db_error(attempt))


def again(write, context, *args):
    """Call a writer, again if it loses a row to another transaction.

    Heat does so for some of its writers; with locks there is one more that
    they can lose to. Inside a caller's transaction all of it is lost.
    """
    if not is_in_transaction(context):
        write = on_db_error(write)
    return write(context, *args)


def within(write):
    """Return a writer for use inside a transaction of ours.

    Most of Heat's try again by themselves when the database has ended their
    transaction: all of it that came before would be missing.
    """
    if getattr(write, '__code__', None) is _TRIES_AGAIN:
        return write.__wrapped__
    return write


_TRIES_AGAIN = db_api.retry_on_db_error(again).__code__


def is_in_transaction(context):
    """Return whether what is written now belongs to a caller's transaction."""
    return getattr(context, 'session', None) is not None
