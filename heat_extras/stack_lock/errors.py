# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.exception`: the lock's errors on the wire.

Why they say that they live there: :mod:`heat_extras.remote_errors`. Their
HTTP codes are in :mod:`heat_extras.stack_lock.patches.api_fault`.
"""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class StackLocked(heat_exception.HeatException):
    """An operation is refused because the stack is locked (409).

    Not an ActionInProgress: StackResource.translate_remote_exceptions would
    swallow that during a rollback, and the parent would wait for ever.
    """

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


class StackLockConflict(heat_exception.HeatException):
    """A lock or unlock does not fit the state of the stack tree (409)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


class StackLockInvalid(heat_exception.HeatException):
    """A lock or unlock request is malformed (400)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


class StackLockForbidden(heat_exception.HeatException):
    """The lock's rank is above the caller's rights (403)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add the classes to heat.common.exception."""
    return remote_errors.records(
        StackLocked, StackLockConflict, StackLockInvalid, StackLockForbidden)
