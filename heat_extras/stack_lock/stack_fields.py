# SPDX-License-Identifier: Apache-2.0

"""Add the fields of a lock to the stacks in responses of the API.

The database always has the stack's own action and status. Only responses show
the state of the lock in their place.
"""

from heat.db import models
from heat.rpc import api as rpc_api
from oslo_config import cfg
import sqlalchemy

from heat_extras.db import stack_columns
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import lock_record

_COVERED = ('action', 'status')

_UNLOCKED = lock_record.public_fields(lock_record.UNLOCKED, None)
_OF_REGISTER = (lock_record.ID, lock_record.END, lock_record.PASS)
_UNPROTECTED = protection.NONE.public_fields(None)


def format_stack(info, stack):
    """Add the fields of a lock and a protection to a loaded stack."""
    kept = protection.protection_of(stack)
    if kept is not protection.NONE:
        add_protection(info, kept, stack.context)
    lock = lock_record.lock_of(stack)
    if lock is not lock_record.UNLOCKED:
        overlay_lock(info, lock, stack.context)


def format_row(info, row):
    """Add the fields of a lock and a protection to a stack in a list.

    :param row: the heat.objects.stack.Stack.
    """
    columns = stack_columns.get_columns(row)
    if columns.delete_protection_id is not None:
        add_protection(info, protection.Protection.from_row(columns),
                       row._context)
    lock = lock_record.Lock.from_row(columns)
    if lock is not lock_record.UNLOCKED:
        # Do not create a context for an unlocked stack, because a list can
        # have hundreds of stacks.
        overlay_lock(info, lock, row._context)


def add_protection(info, delete_protection, context):
    """Add the protection from deletion to the body of its stack."""
    reader = (delete_protection.project if context.is_admin
              else context.project_id)
    info.update(delete_protection.public_fields(reader))
    return info


def overlay_lock(info, lock, context):
    """Add the lock to the body of its stack, in place of its status."""
    if lock.is_locked:
        reader = lock.project if context.is_admin else context.project_id
        info.update(lock_record.public_fields(lock, reader))
    if lock.covers(cfg.CONF.heat_extras.status_overlay):
        info[lock_record.PRIOR_STACK_STATUS] = '_'.join(
            (info[rpc_api.STACK_ACTION], info[rpc_api.STACK_STATUS]))
        info[rpc_api.STACK_ACTION] = lock.action
        info[rpc_api.STACK_STATUS] = lock.status
        info[rpc_api.STACK_STATUS_DATA] = lock.status_reason
    return info


def _add_tag_protection(infos):
    if protection_tag.configured_tag() is None:
        return
    for info in infos:
        if protection_tag.is_in_body(info):
            info[protection.PROTECTED] = True
            for name in protection.PUBLIC_FIELDS:
                info.setdefault(name)


def add_fields_to_show(context, infos):
    """Complete the fields of locks in the bodies of shown stacks."""
    _add_tag_protection(infos)
    expiry.add_fields(context, infos, _OF_REGISTER, is_admins=True)
    for info in infos:
        if lock_record.LEVEL not in info:
            info.update(_UNLOCKED)
        if protection.PROTECTED not in info:
            info.update(_UNPROTECTED)
    return infos


def add_fields_to_list(context, infos):
    """Complete the fields of locked stacks in a list, for the API.

    Only the first stack has a field if it is unlocked, because each value
    makes the RPC answer slower. The API adds the fields of other stacks.
    """
    _add_tag_protection(infos)
    expiry.add_fields(context, infos, _OF_REGISTER, is_admins=True)
    for info in infos[:1]:
        info.setdefault(lock_record.LEVEL)
    return infos


def add_fields_in_api(result):
    """Add the fields of unlocked stacks to a list, in the API.

    :param result: the body of a list. Its first stack has ``lock_level`` if
        the engine knows locks.
    """
    bodies = result['stacks']
    if bodies and lock_record.LEVEL in bodies[0]:
        for body in bodies:
            if body.get(lock_record.LEVEL) is None:
                body.update(_UNLOCKED)
            if protection.PROTECTED not in body:
                body.update(_UNPROTECTED)
    return result


def filter_shown_status(query, filters):
    """Add filters by the shown action and status to a query for stacks.

    :param filters: a dict from the name of a column to one value or several.
    :returns: the query, and the other filters.
    """
    for name in _COVERED:
        if name in filters:
            wanted = filters[name]
            if not isinstance(wanted, (list, tuple, set, frozenset)):
                wanted = [wanted]
            query = query.filter(_shown_column(name).in_(wanted))
    return query, {name: value for name, value in filters.items()
                   if name not in _COVERED}


def _shown_column(name):
    own = getattr(models.Stack, name)
    lock = getattr(models.Stack, f'lock_{name}')
    is_shown = (cfg.CONF.heat_extras.status_overlay
                == lock_record.OVERLAY_FULL)
    return sqlalchemy.func.coalesce(lock, own) if is_shown else own
