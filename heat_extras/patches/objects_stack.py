# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.objects.stack`: the columns of heat-extras."""

from heat_extras.db import stack_columns
from heat_extras import monkey_patch
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import write_criteria


@monkey_patch.extends('heat.objects.stack:Stack')
class StackObjectMixin:

    @monkey_patch.wrap(
        '(context, stack, db_stack)',
        why='it copies only the columns that are fields of the object')
    def _from_db_object(original, context, stack, db_stack):
        loaded = original(context, stack, db_stack)
        stack_columns.copy_columns(stack, db_stack)
        return loaded

    @monkey_patch.wrap('(cls, context, stack_id, **kwargs)',
                       why='Stack._persist_state reads the row here. Without '
                           'a row, it makes no change and sends no event',
                       feature='stack_lock')
    def get_by_id(cls, original, context, stack_id, **kwargs):
        stack = original(context, stack_id, **kwargs)
        if (stack is not None and write_criteria.is_persisting()
                and stack_columns.get_columns(stack).lock_level is not None
                and not pass_use.is_valid(stack_id)):
            return None
        return stack
