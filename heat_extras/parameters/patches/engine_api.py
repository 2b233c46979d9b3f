# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.api`: ``updatable`` in responses."""

from heat_extras.db import stack_columns
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.parameters import hot_schema
from heat_extras.parameters import values

EXTENDS = 'heat.engine.api'

_NO_EXTENSION_POINT = 'Heat formats its answers in plain functions'


@monkey_patch.wrap(signatures.FORMAT_STACK,
                   why=_NO_EXTENSION_POINT)
def format_stack(original, stack, preview=False, resolve_outputs=True):
    info = original(stack, preview=preview, resolve_outputs=resolve_outputs)
    # From the template, because the stack may be older than the column.
    updatable = None if preview else values.updatable_column(stack.parameters)
    if updatable:
        info[values.FIELD] = updatable
    return info


@monkey_patch.wrap('(stack)', why=_NO_EXTENSION_POINT)
def format_stack_db_object(original, stack):
    info = original(stack)
    updatable = stack_columns.get_columns(stack).updatable
    if updatable:
        info[values.FIELD] = updatable
    return info


@monkey_patch.wrap('(param)', why=_NO_EXTENSION_POINT)
def format_validate_parameter(original, param):
    info = original(param)
    # Without either attribute in the template, Heat's result is not changed.
    if hot_schema.has_updatable_attribute(param.schema):
        info['Immutable'] = param.schema.immutable
        info['Updatable'] = not param.schema.immutable
    return info
