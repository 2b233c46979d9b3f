# SPDX-License-Identifier: Apache-2.0

"""Show for each resource whether a lock of level ``all`` protects it."""

from heat.db import api as db_api
from heat.rpc import api as rpc_api
from oslo_config import cfg

from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree_rows

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


def mark_locked(info, resource):
    """Mark the body of a resource if its stack is locked."""
    if object_data.of_stack(resource.stack).columns.lock_id is not None:
        info.update(_NOTHING)


def fill_fields(context, infos):
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


def fill_field(context, info):
    """Add the fields of the lock to the body of one resource."""
    return fill_fields(context, [info])[0]


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


def dry_run(context, root, level):
    """Return the body of a dry run: each resource with its protection."""
    body = {'level': level, 'resources': []}
    if level == states.ALL:
        report = lock_resources.dry_run(context, root.id,
                                        _stack_ids(context, root.id))
        body['resources'] = [
            _resource_body(resource, state, reason)
            for resource, (state, reason) in report.results.items()]
    return {'lock': body}


def _stack_ids(context, root_id):
    with db_api.context_manager.reader.independent.using(context) as session:
        return tree_rows.stack_ids(session, root_id)


def _resource_body(resource, state, reason):
    return {rpc_api.RES_NAME: resource.name,
            rpc_api.RES_TYPE: resource.type(),
            rpc_api.RES_STACK_NAME: resource.stack.name,
            rpc_api.RES_PHYSICAL_ID: resource.resource_id,
            PROTECTION: state, REASON: reason}
