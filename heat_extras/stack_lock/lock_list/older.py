# SPDX-License-Identifier: Apache-2.0

"""An engine of an older release, as the API meets it.

Mostly an engine of this one refuses what not all of them can; but the request
can also come to the older one.
"""

import contextlib

import oslo_messaging

from heat_extras.heat_internals import older_engine
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.lock_list import words


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
        if is_new and older_engine.is_one(error):
            raise errors.StackLockConflict(message=words.OLDER) from error
        raise
