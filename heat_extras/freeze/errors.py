# SPDX-License-Identifier: Apache-2.0

"""What a freeze refuses requests with."""

from heat_extras import exception


class StackFrozen(exception.Conflict):
    """An operation is refused because of a freeze of the operator's.

    Not an ActionInProgress, as :class:`stack_lock.errors.StackLocked`.
    """
