# SPDX-License-Identifier: Apache-2.0

"""An engine of an older release, as the API meets it.

Mostly an engine of this one refuses what not all of them can; but the request
can also come to the older one.
"""

import contextlib

import oslo_messaging

from heat_extras.stack_lock import errors
from heat_extras.stack_lock.identity import words

# As oslo_messaging.rpc.dispatcher calls a method that is not there, and as
# Python says that a method takes no such argument.
_NO_METHOD, _NO_ARGUMENT = 'NoSuchMethod', 'unexpected keyword argument'


@contextlib.contextmanager
def told(is_new):
    """Say so in the place of an error that tells of RPC.

    :param is_new: whether what is asked takes an engine that knows of ids,
        or of ends.
    :raises StackLockConflict:
    """
    try:
        yield
    except (oslo_messaging.RemoteError, TypeError) as error:
        if is_new and _is_older(error):
            raise errors.StackLockConflict(message=words.OLDER) from error
        raise


def _is_older(error):
    return (getattr(error, 'exc_type', None) == _NO_METHOD
            or _NO_ARGUMENT in str(error))
