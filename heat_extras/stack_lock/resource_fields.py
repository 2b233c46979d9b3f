# SPDX-License-Identifier: Apache-2.0

"""What a lock of level ``all`` covers, told honestly per resource."""

from heat.rpc import api as rpc_api
from oslo_config import cfg

from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states

PROTECTION = 'lock_protection'
REASON = 'lock_protection_reason'
PRIOR_STATUS = 'prior_resource_status'
_NOTHING = dict.fromkeys((PROTECTION, REASON))

_SHOWN_STATUS = {states.PROTECTED: lock_states.COMPLETE,
                 states.FOUND: lock_states.COMPLETE,
                 states.FAILED: lock_states.FAILED}


def mark(info):
    """Mark a resource body whose stack is locked; serializable."""
    info.update(_NOTHING)


def complete(context, infos):
    """Add to resource bodies how the lock covers them.

    One query, and none when no stack is locked.

    :param infos: as :func:`heat.engine.api.format_stack_resource` makes
        them; those of locked stacks are marked.
    """
    stack_ids = {_stack_id(info) for info in infos if PROTECTION in info}
    rows = protection_table.of_stacks(context, stack_ids) if stack_ids else {}
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
    state = states.shown(row.state)
    status = _SHOWN_STATUS.get(state)
    if (row.state == states.LOCKING
            and row.lock_status == lock_states.IN_PROGRESS):
        state, status = None, lock_states.IN_PROGRESS
    info = {**info, PROTECTION: state, REASON: row.reason}
    overlay = cfg.CONF.heat_extras.status_overlay
    if status and overlay != lock_record.OVERLAY_OFF:
        info[PRIOR_STATUS] = '_'.join((info[rpc_api.RES_ACTION],
                                       info[rpc_api.RES_STATUS]))
        info[rpc_api.RES_ACTION] = lock_states.LOCK
        info[rpc_api.RES_STATUS] = status
    return info


def dry_run(context, root, level):
    """Answer a dry run: what would be protected, and what not, and why."""
    answer = {'level': level, 'resources': []}
    if level == lock_states.ALL:
        report = lock_resources.look(context, root.id,
                                     lock_transaction.stack_ids(context,
                                                                root.id))
        answer['resources'] = [
            _describe(resource, state, reason)
            for resource, (state, reason) in report.results.items()]
    return {'lock': answer}


def _describe(resource, state, reason):
    return {rpc_api.RES_NAME: resource.name,
            rpc_api.RES_TYPE: resource.type(),
            rpc_api.RES_STACK_NAME: resource.stack.name,
            rpc_api.RES_PHYSICAL_ID: resource.resource_id,
            PROTECTION: state, REASON: reason}
