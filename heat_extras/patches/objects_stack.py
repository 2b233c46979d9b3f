# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.objects.stack`: the columns of heat-extras."""

from heat_extras.db import stack_columns
from heat_extras import monkey_patch


@monkey_patch.extends('heat.objects.stack:Stack')
class StackObjectMixin:
    """Extends heat.objects.stack:Stack."""

    @monkey_patch.wrap(
        '(context, stack, db_stack)',
        why='it copies only the columns that are fields of the object')
    def _from_db_object(original, context, stack, db_stack):
        loaded = original(context, stack, db_stack)
        stack_columns.copy_columns(stack, db_stack)
        return loaded
