# SPDX-License-Identifier: Apache-2.0

"""What a lock of level ``all`` covers, told honestly per resource."""

from heat.db import api as db_api
from heat.rpc import api as rpc_api
from oslo_config import cfg

from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states
from heat_extras.stack_lock import tree

PROTECTION = 'lock_protection'
REASON = 'lock_protection_reason'
PRIOR_STATUS = 'prior_resource_status'
_NOTHING = dict.fromkeys((PROTECTION, REASON))

_LOCK_STATUS = {
    states.PROTECTED: (lock_states.LOCK, lock_states.COMPLETE),
    states.FOUND: (lock_states.LOCK, lock_states.COMPLETE),
    states.FAILED: (lock_states.LOCK, lock_states.FAILED),
    states.RELEASED: (lock_states.UNLOCK, lock_states.COMPLETE),
    states.NOT_RELEASED: (lock_states.UNLOCK, lock_states.FAILED)}


def add_empty_fields(info):
    """Mark a resource body whose stack is locked; serializable."""
    info.update(_NOTHING)


def fill_fields(context, infos):
    """Add to resource bodies how the lock covers them.

    One query, and none when no stack is locked.

    :param infos: as :func:`heat.engine.api.format_stack_resource` makes
        them; those of locked stacks are marked.
    """
    stack_ids = {_stack_id(info) for info in infos if PROTECTION in info}
    rows = (protection_table.read_stacks(context, stack_ids) if stack_ids
            else {})
    shown = {(row.stack_id, row.resource_name, row.physical_resource_id): row
             for row in rows.values()}
    return [_complete(info, shown.get((
        _stack_id(info), info[rpc_api.RES_NAME],
        info[rpc_api.RES_PHYSICAL_ID]))) for info in infos]


def _stack_id(info):
    return info[rpc_api.RES_STACK_ID]['stack_id']


def _complete(info, row):
    if row is None:
        return {**_NOTHING, **info}
    action, status = _lock_status(row)
    state = (None if status == lock_states.IN_PROGRESS
             else states.shown(row.state))
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
    is_unlock = row.lock_action == lock_states.UNLOCK
    # A change to level stacks releases what level all had protected.
    is_released = is_unlock or row.lock_level != lock_states.ALL
    if row.state == states.LOCKING:
        return (lock_states.UNLOCK if is_released else lock_states.LOCK,
                lock_states.IN_PROGRESS
                if row.lock_status == lock_states.IN_PROGRESS
                else lock_states.FAILED)
    if (row.state == states.PROTECTED and is_released
            and row.lock_status == lock_states.FAILED):
        return lock_states.UNLOCK, lock_states.FAILED
    if row.state in (states.RELEASED, states.NOT_RELEASED) and not is_unlock:
        return None, None
    return _LOCK_STATUS.get(row.state, (None, None))


def dry_run(context, root, level):
    """Answer a dry run: what would be protected, and what not, and why."""
    answer = {'level': level, 'resources': []}
    if level == lock_states.ALL:
        report = lock_resources.dry_run(context, root.id,
                                        _stack_ids(context, root.id))
        answer['resources'] = [
            _describe(resource, state, reason)
            for resource, (state, reason) in report.results.items()]
    return {'lock': answer}


def _stack_ids(context, root_id):
    with db_api.context_manager.reader.independent.using(context) as session:
        return tree.stack_ids(session, root_id)


def _describe(resource, state, reason):
    return {rpc_api.RES_NAME: resource.name,
            rpc_api.RES_TYPE: resource.type(),
            rpc_api.RES_STACK_NAME: resource.stack.name,
            rpc_api.RES_PHYSICAL_ID: resource.resource_id,
            PROTECTION: state, REASON: reason}
