# SPDX-License-Identifier: Apache-2.0

"""Ask other features before a lock or unlock: one may deny it."""

import contextlib

from heat_extras.heat_internals import lock_callbacks
from heat_extras.stack_lock import errors


@contextlib.contextmanager
def asked(context, root, action):
    """Ask the lock callbacks, before a request and at its end.

    :raises StackLockConflict: when one of them denies it.
    """
    try:
        with lock_callbacks.asked(context, root, action) as end:
            yield end
    except lock_callbacks.Denied as denial:
        raise errors.StackLockConflict(message=str(denial)) from denial
