# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.db.api`: the writers that a lock rejects.

A unit test of :mod:`heat_extras.stack_lock.guarded_writes` lists all writers,
and why a lock allows the others.
"""

from heat.db import api as heat_db_api
from heat.db import models
import sqlalchemy

from heat_extras.db import transactions
from heat_extras import monkey_patch
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import guarded_writes
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import write_criteria

EXTENDS = 'heat.db.api'
FEATURE = 'stack_lock'

_WHY = 'Heat has no hook in its database layer'
# Removes UNLOCK_COMPLETE, which is shown until the next operation. An update
# with a lock pass keeps its lock.
_NOTHING_SHOWN = {'lock_id': sqlalchemy.case(
    (sqlalchemy.column('lock_passing').is_not(None),
     sqlalchemy.column('lock_id')), else_=None)}


@monkey_patch.wrap('(context, stack_id, values, exp_trvsl=None)', why=_WHY)
def stack_update(original, context, stack_id, values, exp_trvsl=None):
    if (values.get('status') == 'IN_PROGRESS'
            or write_criteria.is_persisting()):
        # An operation starts, or it ends before its start because a policy or
        # a plugin rejects it. Stack.store writes the old status.
        values = {**values, **_NOTHING_SHOWN}
    original = protection_tag.wrapped_stack_update(original, stack_id)
    # Without a status, it is a write of lifecycle before an operation starts.
    use = pass_use.pending_use(stack_id) if 'status' in values else None
    if use is not None:
        return transactions.retry_write(use.update_stack, context, original,
                                        stack_id, values, exp_trvsl)
    with write_criteria.only_unlocked(
            context, delete_intent.update_criteria(values)):
        return delete_intent.record_update(values, transactions.retry_write(
            transactions.without_retry(original), context, stack_id, values,
            exp_trvsl))


@monkey_patch.wrap('(context, stack_id, engine_id, values)', why=_WHY)
def persist_state_and_release_lock(original, context, stack_id, engine_id,
                                   values):
    if operations.current() != operations.EXPORT:
        values = {**values, **_NOTHING_SHOWN}
    with write_criteria.only_unlocked(context):
        is_kept = transactions.retry_write(original, context, stack_id,
                                           engine_id, values)
    if is_kept:
        # Heat deletes the StackLock row only if the UPDATE changed a row.
        return heat_db_api.stack_lock_release(context, stack_id, engine_id)
    return is_kept


@monkey_patch.wrap('(context, values)', why=_WHY)
def stack_create(original, context, values):
    if values.get('owner_id') is None or values.get('backup'):
        # A backup stack is created while the StackLock of its owner is held.
        return original(context, values)
    return transactions.retry_write(guarded_writes.create_nested, context,
                                    original, values)


@monkey_patch.wrap(
    '(context, resource_id, values, atomic_key, expected_engine_id=None)',
    why=_WHY)
def resource_update(original, context, resource_id, values, atomic_key,
                    expected_engine_id=None):
    if not guarded_writes.is_refused(values):
        return original(context, resource_id, values, atomic_key,
                        expected_engine_id=expected_engine_id)
    with write_criteria.only_unlocked(context):
        updated = original(context, resource_id, values, atomic_key,
                           expected_engine_id=expected_engine_id)
    if not updated and guarded_writes.starts_scaling(values):
        # Without this error, Heat would retry ten times.
        guarded_writes.raise_if_locked(context, resource_id)
    return updated


@monkey_patch.wrap('(context, resource_id, values)', why=_WHY)
def resource_update_and_save(original, context, resource_id, values):
    if not guarded_writes.is_refused(values):
        return original(context, resource_id, values)
    return transactions.retry_write(guarded_writes.update_row, context,
                                    models.Resource, original, resource_id,
                                    values)


@monkey_patch.wrap('(context, values)', why=_WHY)
def resource_create(original, context, values):
    return transactions.retry_write(guarded_writes.insert_row, context,
                                    original, values)


@monkey_patch.wrap(
    '(context, existing_res_id, new_res_values, atomic_key, '
    'expected_engine_id=None)', why=_WHY)
def resource_create_replacement(original, context, existing_res_id,
                                new_res_values, *args, **kwargs):
    def create(context, guarded):
        with write_criteria.only_unlocked(context):
            return original(context, existing_res_id, guarded, *args,
                            **kwargs)
    return transactions.retry_write(guarded_writes.insert_row, context, create,
                                    new_res_values)


@monkey_patch.wrap('(context, resource_id1, resource_id2)', why=_WHY)
def resource_exchange_stacks(original, context, resource_id1, resource_id2):
    return transactions.retry_write(guarded_writes.exchange_resources, context,
                                    original, resource_id1, resource_id2)


@monkey_patch.wrap('(context, template_id, values)', why=_WHY)
def raw_template_update(original, context, template_id, values):
    return transactions.retry_write(guarded_writes.change_template, context,
                                    original, template_id, values)


@monkey_patch.wrap('(context, values)', why=_WHY)
def snapshot_create(original, context, values):
    return transactions.retry_write(guarded_writes.insert_row, context,
                                    original, values)


@monkey_patch.wrap('(context, snapshot_id, values)', why=_WHY)
def snapshot_update(original, context, snapshot_id, values):
    return transactions.retry_write(guarded_writes.update_row, context,
                                    models.Snapshot, original, snapshot_id,
                                    values)


@monkey_patch.wrap('(context, stack_id, tags)', why=_WHY)
def stack_tags_set(original, context, stack_id, tags):
    protection_tag.record_removal(context, stack_id, tags)
    original = protection_tag.wrapped_tags_write(original, stack_id)
    return transactions.retry_write(guarded_writes.set_tags, context, original,
                                    stack_id, tags)


@monkey_patch.wrap('(context, stack_id)', why=_WHY)
def stack_tags_delete(original, context, stack_id):
    protection_tag.record_removal(context, stack_id)
    original = protection_tag.wrapped_tags_write(original, stack_id)
    return original(context, stack_id)
