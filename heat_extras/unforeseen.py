# SPDX-License-Identifier: Apache-2.0

"""Errors of our own that nobody foresaw, on their way to an API."""

import contextlib

from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras import faults
from heat_extras import mishap


class GuardFailed(faults.Fault):
    """Something in our own code went wrong."""


@contextlib.contextmanager
def told(what):
    """Answer an error of our own code with a sentence, and log the rest.

    Heat's own pass as they are.

    :param what: what was wanted, like "lock".
    :raises GuardFailed: in the place of an error that nobody foresaw.
    """
    try:
        yield
    except (heat_exception.HeatException, dispatcher.ExpectedException):
        # The latter is one of the former, which the RPC server need not log.
        raise
    except Exception as error:
        if not mishap.is_ours(error):
            raise
        # Without its cause, whose text oslo.messaging would send along.
        raise GuardFailed(message=mishap.plain(error, what)) from None
