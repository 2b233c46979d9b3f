# SPDX-License-Identifier: Apache-2.0

"""The guards that locks set: on stacks, and on physical resources."""

import dataclasses

from heat.db import api as db_api
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras.heat_internals import guard_tree
from heat_extras import sanitize
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock.resource_locks import states as protection_states
from heat_extras.stack_lock import states
from heat_extras import timestamps

_table = models.protection_table

# Where they are not called the same.
_OPERATIONS = {**{action: action for action in guard.ACTIONS},
               'replace': operations.UPDATE,
               'mark_unhealthy': operations.MARK_UNHEALTHY,
               'lock': states.LOCK, 'unlock': states.UNLOCK}
_PROTECTED = {
    protection_states.PROTECTED: 'is protected by the lock of the stack',
    protection_states.FOUND: 'was protected before the lock, and stays so',
    protection_states.NOT_RELEASED: 'could not be released by an unlock'}


def list_guards(context, found):
    """List the lock of a tree, and the physical resources it protects."""
    lock = expiry.with_expiration(context,
                                  lock_record.Lock.from_row(found.stack))
    return [*_lock(context, found, lock), *_delete_protection(context, found),
            *_protections(context, found, lock)]


def _lock(context, found, lock):
    # Every nested stack carries it, too: told once.
    if not lock.is_locked:
        return
    yield guard.Guard(
        kind='lock', stack_id=found.stack.id, stops=_stopped(lock),
        set_by=lock.locked_by_for(context.project_id), set_at=lock.locked_at,
        reason=_reason(context, found, lock), lifted_by=lock.right_to_unlock,
        how_to_lift=f'openstack stack unlock {found.root_name}',
        expires_at=lock.expires_at)


def _reason(context, found, lock):
    # A signal is answered with success, so this is where its fate shows.
    counts = guard_tree.run_query(
        context, ignored_signals.select_counts(found.ids))
    ignored = ignored_signals.describe(counts, found.name_of)
    if ignored is None:
        return lock.reason
    last = timestamps.to_iso(max(row.last_at for row in counts))
    return '. '.join(filter(None, (lock.reason, f'{ignored}, the last at '
                                   f'{last}')))


def _delete_protection(context, found):
    root = guard_tree.read_root(context, found.stack)
    with db_api.context_manager.reader.independent.using(context) as session:
        kept = delete_intent.read_protection(session, root.id, root)
    for each in (dataclasses.replace(kept, tag=None),
                 protection.Protection(tag=kept.tag)):
        if each.is_there:
            yield guard.Guard(
                kind='delete_protection', stack_id=found.stack.id,
                stops=tuple(action for action in guard.ACTIONS
                            if operations.is_deletion(_OPERATIONS[action])),
                reason=each.reason, set_at=each.set_at,
                set_by=each.set_by_for(context.project_id),
                lifted_by=each.required_policy,
                how_to_lift=each.how_to_remove(found.root_name))


def _stopped(lock):
    return tuple(action for action in guard.ACTIONS
                 if lock.refuses(_OPERATIONS[action])
                 or lock.ignores(_OPERATIONS[action]))


def _protections(context, found, lock):
    rows = guard_tree.run_query(context, sqlalchemy.select(_table).where(
        _table.c.stack_id.in_(found.ids),
        _table.c.state.in_(_PROTECTED)))
    return [_protection(context, found, lock, row) for row in rows]


def _protection(context, found, lock, row):
    told = {'kind': 'protection', 'stack_id': row.stack_id,
            'name': row.resource_name,
            'stops': ('update', 'replace', 'delete'),
            'reason': f'{row.physical_resource_id} {_PROTECTED[row.state]}'
                      f'{sanitize.because(row.reason)}'}
    if row.state == protection_states.PROTECTED:
        return guard.Guard(
            **told, set_by=lock.locked_by_for(context.project_id),
            set_at=row.updated_at, expires_at=lock.expires_at,
            lifted_by=lock.right_to_unlock,
            how_to_lift=f'openstack stack unlock {found.root_name}')
    return guard.Guard(
        **told, lifted_by='its service', how_to_lift='remove it at the '
        f'service of {row.resource_type}, where it was set')
