# SPDX-License-Identifier: Apache-2.0

"""Ask other features before a lock or unlock: one may deny it."""

import contextlib

from heat_extras.host import hooks
from heat_extras.stack_lock import errors


@contextlib.contextmanager
def asked(context, root, action):
    """Ask the hooks; see :func:`heat_extras.host.hooks.asked`.

    :raises StackLockConflict: when one of them denies it.
    """
    try:
        with hooks.asked(context, root, action) as end:
            yield end
    except hooks.Denied as denial:
        raise errors.StackLockConflict(message=str(denial)) from denial
