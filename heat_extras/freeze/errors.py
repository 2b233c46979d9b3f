# SPDX-License-Identifier: Apache-2.0

"""Errors of freezes."""

from heat_extras import exception


class StackFrozen(exception.Conflict):
    """An operation is rejected because of a freeze of the operator.

    It is not an ActionInProgress, unlike
    :class:`stack_lock.errors.StackLocked`.
    """
