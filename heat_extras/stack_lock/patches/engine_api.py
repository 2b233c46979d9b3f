# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.api`: show locks in responses.

The database always has the stack's own action and status. Only responses show
the state of the lock in their place.
"""

from oslo_config import cfg

from heat_extras.db import stack_columns
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import stack_fields

EXTENDS = 'heat.engine.api'

_NO_EXTENSION_POINT = 'Heat formats its responses in plain functions'


@monkey_patch.wrap(signatures.FORMAT_STACK,
                   why=_NO_EXTENSION_POINT)
def format_stack(original, stack, preview=False, resolve_outputs=True):
    info = original(stack, preview=preview, resolve_outputs=resolve_outputs)
    lock = lock_record.lock_of(stack)
    kept = protection.protection_of(stack)
    if not preview and kept is not protection.NONE:
        stack_fields.add_protection(info, kept, stack.context)
    if preview or lock is lock_record.UNLOCKED:
        return info
    return stack_fields.overlay_lock(info, lock, stack.context)


@monkey_patch.wrap('(stack)', why=_NO_EXTENSION_POINT)
def format_stack_db_object(original, stack):
    info = original(stack)
    columns = stack_columns.get_columns(stack)
    if columns.delete_protection_id is not None:
        stack_fields.add_protection(info,
                                    protection.Protection.from_row(columns),
                                    stack._context)
    lock = lock_record.Lock.from_row(columns)
    if lock is lock_record.UNLOCKED:
        # Do not create a context for an unlocked stack, because a list can
        # have hundreds of stacks.
        return info
    return stack_fields.overlay_lock(info, lock, stack._context)


@monkey_patch.wrap('(resource, detail=True, with_props=False, with_attr=None)',
                   why=_NO_EXTENSION_POINT)
def format_stack_resource(original, resource, *args, **kwargs):
    info = original(resource, *args, **kwargs)
    lock = lock_record.lock_of(resource.stack)
    if lock.is_locked or lock.covers(cfg.CONF.heat_extras.status_overlay):
        resource_fields.add_empty_fields(info)
    return info
