# SPDX-License-Identifier: Apache-2.0

"""Add the fields of locks to stacks and resources in responses of the API.

The database always has the stack's own action and status. Only responses show
the state of the lock in their place. The fields of a resource show whether a
lock of level ``all`` protects it.
"""

from heat.db import models as heat_models
from heat.rpc import api as rpc_api
from oslo_config import cfg
import sqlalchemy

from heat_extras.db import models
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states

_guard = models.guard_table

# The names of the covered fields, and their values after an unlock.
_COVERED = {'action': states.UNLOCK, 'status': states.COMPLETE}

_UNLOCKED = lock_record.public_fields(lock_record.UNLOCKED, None)
_UNPROTECTED = protection.NONE.public_fields(None)


def mark_stack(info, columns):
    """Mark the body of a stack that has a lock or protection.

    :param columns: the columns of heat-extras of the stack.
    """
    # Most stacks have neither, and a list can have hundreds of stacks.
    if columns.lock_id is not None:
        info[lock_record.LEVEL] = columns.lock_level
    if columns.delete_protection_id is not None:
        info[protection.PROTECTED] = True


def _add_fields(context, infos):
    """Add the fields of the locks and protections of marked stacks."""
    marked = {info[rpc_api.STACK_ID]['stack_id']: info for info in infos
              if lock_record.LEVEL in info or protection.PROTECTED in info}
    guards = guard_row.read_all(context, list(marked)) if marked else {}
    for stack_id, info in marked.items():
        _add_protection(info, guards[stack_id].get(
            models.DELETE_PROTECTION, protection.NONE), context)
        _overlay_lock(info, guards[stack_id].get(
            models.LOCK, lock_record.UNLOCKED), context)
    for info in infos if protection_tag.configured_tags() else ():
        by_tag = protection_tag.fields_of_body(info)
        if by_tag:
            info.update({**_UNPROTECTED, **info, **by_tag})


def _add_protection(info, delete_protection, context):
    """Add the protection from deletion to the body of its stack."""
    reader = (delete_protection.set_by_project if context.is_admin
              else context.project_id)
    info.update(delete_protection.public_fields(reader))
    return info


def _overlay_lock(info, lock, context):
    """Add the lock to the body of its stack, in place of its status."""
    reader = lock.set_by_project if context.is_admin else context.project_id
    info.update(lock_record.public_fields(lock, reader))
    info[lock_record.PASS] = lock.pass_body(context, is_admins=True)
    if lock.covers(cfg.CONF.heat_extras.status_overlay):
        info[lock_record.PRIOR_STACK_STATUS] = '_'.join(
            (info[rpc_api.STACK_ACTION], info[rpc_api.STACK_STATUS]))
        info[rpc_api.STACK_ACTION] = lock.action
        info[rpc_api.STACK_STATUS] = lock.status
        info[rpc_api.STACK_STATUS_DATA] = lock.status_reason
    return info


def add_fields_to_show(context, infos):
    """Add the fields of guards to the bodies of shown stacks."""
    _add_fields(context, infos)
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
    _add_fields(context, infos)
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
    own = getattr(heat_models.Stack, name)
    if cfg.CONF.heat_extras.status_overlay != lock_record.OVERLAY_FULL:
        return own
    lock = sqlalchemy.select(_guard.c[name]).where(
        _guard.c.id == heat_models.Stack.lock_id).correlate(
            heat_models.Stack).scalar_subquery()
    unlock = sqlalchemy.case(
        (models.shows_unlock(heat_models.Stack.__table__), _COVERED[name]))
    return sqlalchemy.func.coalesce(lock, unlock, own)


PROTECTION = 'lock_protection'
REASON = 'lock_protection_reason'
PRIOR_STATUS = 'prior_resource_status'
_NOTHING = dict.fromkeys((PROTECTION, REASON))

_LOCK_STATUS = {
    resource_states.PROTECTED: (states.LOCK, states.COMPLETE),
    resource_states.FOUND: (states.LOCK, states.COMPLETE),
    resource_states.FAILED: (states.LOCK, states.FAILED),
    resource_states.RELEASED: (states.UNLOCK, states.COMPLETE),
    resource_states.NOT_RELEASED: (states.UNLOCK, states.FAILED)}


def mark_resource(info, resource):
    """Mark the body of a resource if its stack is locked."""
    if object_data.of_stack(resource.stack).columns.lock_id is not None:
        info.update(_NOTHING)


def add_fields_to_resources(context, infos):
    """Add the fields of the lock to the bodies of resources.

    This needs one query, or no query if no stack is locked.

    :param infos: the bodies from :func:`heat.engine.api.format_stack_resource`
        with marks for locked stacks.
    """
    stack_ids = {_stack_id(info) for info in infos if PROTECTION in info}
    rows = (resource_table.read_stacks(context, stack_ids) if stack_ids
            else {})
    shown = {(row.stack_id, row.resource_name, row.physical_resource_id): row
             for row in rows.values()}
    return [_with_lock_fields(info, shown.get((
        _stack_id(info), info[rpc_api.RES_NAME],
        info[rpc_api.RES_PHYSICAL_ID]))) for info in infos]


def add_fields_to_resource(context, info):
    """Add the fields of the lock to the body of one resource."""
    return add_fields_to_resources(context, [info])[0]


def _stack_id(info):
    return info[rpc_api.RES_STACK_ID]['stack_id']


def _with_lock_fields(info, row):
    if row is None:
        return {**_NOTHING, **info}
    action, status = _lock_status(row)
    state = (None if status == states.IN_PROGRESS
             else resource_states.shown(row.state))
    info = {**info, PROTECTION: state, REASON: row.reason}
    lock = lock_record.Lock(level=row.lock_level, action=row.lock_action)
    if status and lock.covers(cfg.CONF.heat_extras.status_overlay):
        info[PRIOR_STATUS] = '_'.join((info[rpc_api.RES_ACTION],
                                       info[rpc_api.RES_STATUS]))
        info[rpc_api.RES_ACTION] = action
        info[rpc_api.RES_STATUS] = status
    return info


def _lock_status(row):
    """Return the action and status of a resource's lock, or (None, None)."""
    is_unlock = row.lock_action == states.UNLOCK
    # A change to level stacks releases the resources of level all.
    is_released = is_unlock or row.lock_level != states.ALL
    if row.state == resource_states.LOCKING:
        return (states.UNLOCK if is_released else states.LOCK,
                states.IN_PROGRESS
                if row.lock_status == states.IN_PROGRESS
                else states.FAILED)
    if (row.state == resource_states.PROTECTED and is_released
            and row.lock_status == states.FAILED):
        return states.UNLOCK, states.FAILED
    if not is_unlock and row.state in (resource_states.RELEASED,
                                       resource_states.NOT_RELEASED):
        return None, None
    return _LOCK_STATUS.get(row.state, (None, None))
