# SPDX-License-Identifier: Apache-2.0

"""Errors of our own that nobody foresaw, on their way to an API."""

import contextlib

from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.db import outage
from heat_extras import faults
from heat_extras import mishap


class GuardFailed(faults.Fault):
    """Something in our own code went wrong."""


class DatabaseAway(faults.Unavailable):
    """There is no database to talk to, or it gives up what it is told."""


@contextlib.contextmanager
def told(what, is_own=False):
    """Answer an error of our own code with a sentence, and log the rest.

    Heat's own pass as they are.

    :param what: what was wanted, like "lock".
    :param is_own: whether bare Heat has no such request: then a database that
        is away is told of also where Heat's code met it first.
    :raises GuardFailed: in the place of an error that nobody foresaw.
    :raises DatabaseAway: in the place of one of a database that is away.
    """
    try:
        yield
    except (heat_exception.HeatException, dispatcher.ExpectedException):
        # The latter is one of the former, which the RPC server need not log.
        raise
    except Exception as error:
        if not (mishap.is_ours(error) or is_own and _is_away(error)):
            raise
        if _is_away(error):
            raise DatabaseAway(message=mishap.away(error, what)) from None
        # Without its cause, whose text oslo.messaging would send along.
        raise GuardFailed(message=mishap.plain(error, what)) from None


def _is_away(error):
    # A node of Galera that is about to lose its quorum calls it a deadlock.
    return isinstance(error, db_exception.DBDeadlock) or outage.is_away(error)
