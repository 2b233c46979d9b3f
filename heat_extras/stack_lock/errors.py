# SPDX-License-Identifier: Apache-2.0

"""Errors of stack locks."""

from heat_extras import exception


class StackLocked(exception.Conflict):
    """An operation is rejected because the stack is locked.

    This is not an ActionInProgress: during a rollback,
    StackResource.translate_remote_exceptions would ignore it, and the parent
    would wait forever.
    """


class StackProtected(exception.Conflict):
    """A deletion is rejected because the stack is protected from deletion.

    This is not an ActionInProgress, for the reason of :class:`StackLocked`.
    """


class StackLockConflict(exception.Conflict):
    """A lock, protection, operation or engine prevents the request."""


class StackLockInvalid(exception.Invalid):
    """A request to lock, unlock or protect a stack is not valid."""


class StackLockForbidden(exception.Forbidden):
    """An administrator has set the lock or the protection from deletion."""
