# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.api`: the lock in what the API shows.

The stack's own action and status stay as they are in the database; the
lock's state is laid over them on the way out (DESIGN: Rule 1).
"""

from heat.rpc import api as rpc_api
from oslo_config import cfg

from heat_extras.db import mapping
from heat_extras import patching
from heat_extras.stack_lock import coverage
from heat_extras.stack_lock import locks

EXTENDS = 'heat.engine.api'

_NO_EXTENSION_POINT = 'Heat formats its answers in plain functions'
_UNLOCKED = locks.public_fields(locks.UNLOCKED, None)


def complete_shown(infos):
    """Say of unlocked stacks that they are."""
    for info in infos:
        if locks.LEVEL not in info:
            info.update(_UNLOCKED)
    return infos


def complete_listed(infos):
    """Tell the API that stacks without a lock have none.

    Once per list: on its way to the API each value takes as long as all
    that is done for an unlocked stack.
    """
    for info in infos[:1]:
        info.setdefault(locks.LEVEL)
    return infos


def _overlay(info, lock, context):
    if lock.is_locked:
        reader = lock.project if context.is_admin else context.project_id
        info.update(locks.public_fields(lock, reader))
    if lock.covers(cfg.CONF.heat_extras.status_overlay):
        info[locks.PRIOR_STACK_STATUS] = '_'.join(
            (info[rpc_api.STACK_ACTION], info[rpc_api.STACK_STATUS]))
        info[rpc_api.STACK_ACTION] = lock.action
        info[rpc_api.STACK_STATUS] = lock.status
        info[rpc_api.STACK_STATUS_DATA] = lock.status_reason
    return info


@patching.wrap('(stack, preview=False, resolve_outputs=True)',
               why=_NO_EXTENSION_POINT)
def format_stack(original, stack, preview=False, resolve_outputs=True):
    info = original(stack, preview=preview, resolve_outputs=resolve_outputs)
    lock = locks.of(stack)
    if preview or lock is locks.UNLOCKED:
        return info
    return _overlay(info, lock, stack.context)


@patching.wrap('(stack)', why=_NO_EXTENSION_POINT)
def format_stack_db_object(original, stack):
    info = original(stack)
    lock = locks.Lock.from_row(mapping.columns(stack))
    if lock is locks.UNLOCKED:
        # No context is made for it, nor a call: a list has hundreds.
        return info
    return _overlay(info, lock, stack._context)


@patching.wrap('(resource, detail=True, with_props=False, with_attr=None)',
               why=_NO_EXTENSION_POINT)
def format_stack_resource(original, resource, *args, **kwargs):
    info = original(resource, *args, **kwargs)
    if locks.of(resource.stack).is_locked:
        coverage.mark(info)
    return info
