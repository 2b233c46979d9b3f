# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.objects.stack`: no event of a rejected state."""

from heat_extras.db import stack_columns
from heat_extras import monkey_patch
from heat_extras.stack_lock.lock_pass import consume
from heat_extras.stack_lock import request_context


@monkey_patch.extends('heat.objects.stack:Stack')
class StackLockStackObjectMixin:
    """Extends heat.objects.stack:Stack."""

    @monkey_patch.wrap('(cls, context, stack_id, **kwargs)',
                       why='Stack._persist_state reads the row here. Without '
                           'a row, it makes no change and sends no event')
    def get_by_id(cls, original, context, stack_id, **kwargs):
        stack = original(context, stack_id, **kwargs)
        if (stack is not None and request_context.is_persisting()
                and stack_columns.get_columns(stack).lock_level is not None
                and not consume.is_valid(stack_id)):
            return None
        return stack
