# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.update`: the end of a legacy update."""

from heat.common import exception

from heat_extras.db import charset
from heat_extras.lifecycle import in_thread
from heat_extras import patching


@patching.extends('heat.engine.update:StackUpdate')
class LifecycleStackUpdateMixin:
    """Extends heat.engine.update:StackUpdate."""

    @patching.wrap('(self)',
                   why='Stack.update_task calls plugins after it has stored '
                       'the outcome, and not when it rolls back')
    def __call__(self, original):
        stack = self.existing_stack
        try:
            yield from original()
        except BaseException:
            in_thread.finish(stack, True)
            raise
        failures = in_thread.finish(stack, False, {'t': self.new_stack.t})
        if failures:
            reason = charset.storable('; '.join(failures))
            # A rollback hides the reason for it.
            stack._add_event(stack.UPDATE, stack.FAILED, reason)
            # What Stack._update_exception_handler rolls back after.
            raise exception.ResourceFailure(reason, None,
                                            action=stack.UPDATE)
