# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack_lock`: check before a deletion cancels."""

from heat_extras import monkey_patch
from heat_extras.stack_lock import check


@monkey_patch.extends('heat.engine.stack_lock:StackLock',
                      feature='stack_lock')
class StackLockMixin:

    @monkey_patch.wrap(
        '(self)', why='a deletion calls it last before it cancels the threads '
                      'of the operation that holds the StackLock')
    def try_acquire(self, original):
        engine_id = original()
        if engine_id is not None:
            check.check_busy(self.context, self.stack_id)
        return engine_id
