# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack_lock`: whoever has it is ended next."""

from heat_extras import patching
from heat_extras.stack_lock.delete_protection import refusal as delete_refusal


@patching.extends('heat.engine.stack_lock:StackLock')
class StackLockStackLockMixin:
    """Extends heat.engine.stack_lock:StackLock."""

    @patching.wrap('(self)', why='the last moment before a deletion cancels '
                                 'the threads of who has the lock')
    def try_acquire(self, original):
        engine_id = original()
        if engine_id is not None:
            delete_refusal.check_taken(self.context, self.stack_id)
        return engine_id
