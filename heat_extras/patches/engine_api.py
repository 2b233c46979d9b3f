# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.api`: fields of guards in responses."""

from heat_extras import gate
from heat_extras import monkey_patch
from heat_extras.parameters import values
from heat_extras.stack_lock import fields

EXTENDS = 'heat.engine.api'

_NO_EXTENSION_POINT = 'Heat formats its responses in plain functions'


@monkey_patch.wrap('(stack, preview=False, resolve_outputs=True)',
                   why=_NO_EXTENSION_POINT)
def format_stack(original, stack, preview=False, resolve_outputs=True):
    info = original(stack, preview=preview, resolve_outputs=resolve_outputs)
    for ask in gate.asked_at('format_preview' if preview else 'format_stack'):
        ask(info, stack)
    return info


@monkey_patch.wrap('(stack)', why=_NO_EXTENSION_POINT)
def format_stack_db_object(original, stack):
    info = original(stack)
    for ask in gate.asked_at('format_row'):
        ask(info, stack)
    return info


@monkey_patch.wrap('(resource, detail=True, with_props=False, with_attr=None)',
                   why=_NO_EXTENSION_POINT, feature='stack_lock')
def format_stack_resource(original, resource, *args, **kwargs):
    info = original(resource, *args, **kwargs)
    fields.mark_resource(info, resource)
    return info


@monkey_patch.wrap('(param)', why=_NO_EXTENSION_POINT, feature='parameters')
def format_validate_parameter(original, param):
    info = original(param)
    # Without either attribute in the template, Heat's result is not changed.
    if values.has_updatable_attribute(param.schema):
        info['Immutable'] = bool(param.schema.immutable)
        info['Updatable'] = not param.schema.immutable
    return info
