# SPDX-License-Identifier: Apache-2.0

"""What API answers show of a lock.

The stack's own action and status stay as they are in the database; the
lock's state is laid over them on the way out.
"""

from heat.db import models
from heat.rpc import api as rpc_api
from oslo_config import cfg
import sqlalchemy

from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import lock_record

_COVERED = ('action', 'status')

_UNLOCKED = lock_record.public_fields(lock_record.UNLOCKED, None)
_OF_REGISTER = (lock_record.ID, lock_record.END, lock_record.PASS)
_UNPROTECTED = protection.NONE.public_fields(None)


def add_protection(info, found, context):
    """Add a protection from deletion to what Heat shows of its stack."""
    reader = found.project if context.is_admin else context.project_id
    info.update(found.public_fields(reader))
    return info


def overlay_lock(info, lock, context):
    """Lay a lock over what Heat shows of its stack."""
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


def _tell_tagged(infos):
    if protection_tag.configured_tag() is None:
        return
    for info in infos:
        if protection_tag.is_shown(info):
            info[protection.PROTECTED] = True
            for name in protection.PUBLIC_FIELDS:
                info.setdefault(name)


def add_fields_to_show(context, infos):
    """Say of unlocked stacks that they are, of others until when."""
    _tell_tagged(infos)
    expiry.add_fields(context, infos, _OF_REGISTER, is_admins=True)
    for info in infos:
        if lock_record.LEVEL not in info:
            info.update(_UNLOCKED)
        if protection.PROTECTED not in info:
            info.update(_UNPROTECTED)
    return infos


def add_fields_to_list(context, infos):
    """Tell the API that stacks without a lock have none.

    Once per list: on its way to the API each value takes as long as all
    that is done for an unlocked stack.
    """
    _tell_tagged(infos)
    expiry.add_fields(context, infos, _OF_REGISTER, is_admins=True)
    for info in infos[:1]:
        info.setdefault(lock_record.LEVEL)
    return infos


def add_fields_in_api(result):
    """Say of the unlocked stacks in a list that they are.

    :param result: the body of a list. Its first stack carries
        ``lock_level`` if the engine that answered knows of locks.
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
    """Add the filters of what a lock may cover to a query for stacks.

    :param filters: from the name of a column to one value, or several.
    :returns: the query, and the filters that are left.
    """
    for name in _COVERED:
        if name in filters:
            wanted = filters[name]
            if not isinstance(wanted, (list, tuple, set, frozenset)):
                wanted = [wanted]
            query = query.filter(_shown(name).in_(wanted))
    return query, {name: value for name, value in filters.items()
                   if name not in _COVERED}


def _shown(name):
    own = getattr(models.Stack, name)
    lock = getattr(models.Stack, f'lock_{name}')
    overlay = cfg.CONF.heat_extras.status_overlay
    if overlay == lock_record.OVERLAY_OFF:
        return own
    if overlay == lock_record.OVERLAY_LOCKED:
        lock = sqlalchemy.case((models.Stack.lock_level.is_not(None), lock))
    return sqlalchemy.func.coalesce(lock, own)
