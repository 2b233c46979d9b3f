# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: signals to a locked stack."""

from heat_extras.heat_internals import agent_signals
from heat_extras import monkey_patch
from heat_extras.stack_lock import check
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock.lock_pass import consume
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations


@monkey_patch.extends('heat.engine.resource:Resource')
class StackLockResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap('(self, details)',
                       why='this is the only check of hooks that runs while '
                           'the caller waits for the response')
    def _signal_check_hook(self, original, details):
        lock = lock_record.lock_of(self.stack)
        if (lock.refuses(operations.CLEAR_HOOK)
                and agent_signals.clears_hook(details)
                and not consume.is_allowed_meanwhile(self.context, lock,
                                                     operations.CLEAR_HOOK)):
            check.raise_locked(self.context, self.stack.name, self.stack.id,
                               lock, operations.CLEAR_HOOK)
        return original(details)

    @monkey_patch.wrap(
        '(self)', why='the response to an ignored signal is 200 in every '
                      'state of the resource')
    def _signal_check_action(self, original):
        if not ignored_signals.is_ignored(self):
            return original()

    @monkey_patch.wrap('(self, details=None, need_check=True)',
                       why='every signal calls handle_signal through this '
                           'method')
    def signal(self, original, details=None, need_check=True):
        return ignored_signals.signal(self, original, details, need_check)
