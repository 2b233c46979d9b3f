# SPDX-License-Identifier: Apache-2.0

"""List locks as guards of stacks and of physical resources."""

from heat.db import api as db_api
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import guarded_stacks
from heat_extras import sanitize
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock import states
from heat_extras import timestamps

_table = models.protection_table

# The operations by the names of the actions.
_OPERATIONS = {**{action: action for action in guard.ACTIONS},
               'replace': operations.UPDATE,
               'mark_unhealthy': operations.MARK_UNHEALTHY,
               'lock': states.LOCK, 'unlock': states.UNLOCK}
_PROTECTED = {
    resource_states.PROTECTED: 'is protected by the lock of the stack',
    resource_states.FOUND: 'was protected before the lock, and stays '
                             'protected',
    resource_states.NOT_RELEASED: 'could not be released by an unlock'}


def list_guards(context, tree):
    """List the lock of a tree, and the physical resources it protects."""
    root = guarded_stacks.read_root(context, tree.stack)
    with db_api.context_manager.reader.independent.using(context) as session:
        lock = guard_row.read_in(session, models.LOCK, tree.stack.id,
                                 tree.stack)
        protected = delete_intent.read_protection(session, root.id, root)
    return [*_lock_guards(context, tree, lock),
            *_delete_protection_guards(context, tree, protected),
            *_resource_guards(context, tree, lock)]


def _lock_guards(context, tree, lock):
    # Every nested stack also has the lock, but it is listed once.
    if not lock.is_locked:
        return
    yield guard.GuardInfo(
        kind='lock', stack_id=tree.stack.id,
        stops=_stopped_actions(lock, _stopped_changes(context, lock)),
        set_by=lock.set_by_for(context.project_id), set_at=lock.set_at,
        reason=_reason(context, tree, lock), lifted_by=lock.required_policy,
        how_to_lift=_how_to_unlock(context, tree, lock),
        expires_at=lock.expires_at)


def _reason(context, tree, lock):
    # Heat reports success for every signal, so show ignored signals here.
    counts = guarded_stacks.run_query(context,
                                      ignored_signals.select_counts(tree.ids))
    ignored = ignored_signals.describe(counts, tree.name_of)
    if ignored is None:
        return lock.reason
    last = timestamps.to_iso(max(row.last_at for row in counts))
    return '. '.join(filter(None, (lock.reason, f'{ignored}, the last at '
                                   f'{last}')))


def _delete_protection_guards(context, tree, kept):
    for each in kept.parts:
        yield guard.GuardInfo(
            kind='delete_protection', stack_id=tree.stack.id,
            stops=_stopped_by_protection(context, each),
            reason=each.reason, set_at=each.set_at,
            set_by=each.set_by_for(context.project_id),
            lifted_by=each.required_policy,
            how_to_lift=_how_to_unprotect(context, tree, each))


def _stopped_changes(context, lock):
    if override_policy.is_forbidden(context, lock):
        return (states.LOCK, states.UNLOCK)
    return () if lock.is_set_by(caller.user_id(context)) else (states.LOCK,)


def _stopped_actions(lock, changes=()):
    return tuple(action for action in guard.ACTIONS
                 if lock.refuses(_OPERATIONS[action])
                 or lock.ignores(_OPERATIONS[action])
                 or _OPERATIONS[action] in changes)


def _how_to_unlock(context, tree, lock):
    return (f'openstack stack unlock {tree.root_name}'
            if override_policy.may_remove(context, lock)
            else _ask_for(lock.required_policy))


def _stopped_by_protection(context, protected):
    changes = ()
    if protected.id is not None:
        if override_policy.is_forbidden(context, protected):
            changes = operations.PROTECT, operations.UNPROTECT
        elif not protected.is_set_by(caller.user_id(context)):
            changes = operations.PROTECT,
    updates = ('update', 'replace') if protected.has_resources else ()
    return tuple(action for action in guard.ACTIONS
                 if operations.is_deletion(_OPERATIONS[action])
                 or _OPERATIONS[action] in changes or action in updates)


def _how_to_unprotect(context, tree, protected):
    return (protected.how_to_remove(tree.root_name)
            if protected.id is None
            or override_policy.may_remove(context, protected)
            else _ask_for(protected.required_policy))


def _ask_for(rule):
    return f'ask a user who has the policy rule {rule}'


def _resource_guards(context, tree, lock):
    rows = guarded_stacks.run_query(context, sqlalchemy.select(_table).where(
        _table.c.stack_id.in_(tree.ids),
        _table.c.state.in_(_PROTECTED)))
    return [_resource_guard(context, tree, lock, row) for row in rows]


def _resource_guard(context, tree, lock, row):
    fields = {'kind': 'protection', 'stack_id': row.stack_id,
              'name': row.resource_name,
              'stops': ('update', 'replace', 'delete'),
              'reason': f'{row.physical_resource_id} {_PROTECTED[row.state]}'
                        f'{sanitize.after_colon(row.reason)}'}
    if row.state == resource_states.PROTECTED:
        return guard.GuardInfo(
            **fields, set_by=lock.set_by_for(context.project_id),
            set_at=row.updated_at, expires_at=lock.expires_at,
            lifted_by=lock.required_policy,
            how_to_lift=_how_to_unlock(context, tree, lock))
    return guard.GuardInfo(
        **fields, lifted_by='its service', how_to_lift='remove the '
        f'protection in the service of {row.resource_type}')
