# SPDX-License-Identifier: Apache-2.0

"""What the lock refuses requests with."""

from heat_extras import exception


class StackLocked(exception.Conflict):
    """An operation is refused because the stack is locked.

    Not an ActionInProgress: StackResource.translate_remote_exceptions would
    swallow that during a rollback, and the parent would wait for ever.
    """


class StackProtected(exception.Conflict):
    """A deletion is refused because the stack is protected from it.

    Not an ActionInProgress, as :class:`StackLocked`.
    """


class StackLockConflict(exception.Conflict):
    """A lock or unlock does not fit the state of the stack tree."""


class StackLockInvalid(exception.Invalid):
    """A lock or unlock request is malformed."""


class StackLockForbidden(exception.Forbidden):
    """The lock's rank is above the caller's rights."""
