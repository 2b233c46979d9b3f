# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.db.api`: the writers that a lock refuses.

Which ones, and why the others pass, is the table in
:mod:`heat_extras.stack_lock.writers`.
"""

from heat.db import api as heat_db_api
from heat.db import models
from oslo_db import exception as db_exception
import sqlalchemy
from sqlalchemy import orm

from heat_extras import patching
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import locks
from heat_extras.stack_lock import predicate
from heat_extras.stack_lock import refusal
from heat_extras.stack_lock import under_way
from heat_extras.stack_lock import writers

EXTENDS = 'heat.db.api'

_WHY = 'Heat has no hook in its database layer'
# What UNLOCK_COMPLETE leaves behind until the next operation.
_NOTHING_SHOWN = {'lock_action': None, 'lock_status': None,
                  'lock_status_reason': None}


@patching.wrap('(context, stack_id, values, exp_trvsl=None)', why=_WHY)
def stack_update(original, context, stack_id, values, exp_trvsl=None):
    if values.get('status') == 'IN_PROGRESS' or under_way.is_persisting():
        # An operation begins, or ends before it has begun, as one does that
        # a policy or a plugin refuses. Stack.store writes the old status.
        values = {**values, **_NOTHING_SHOWN}
    begin = deletion.beginning(stack_id, values)
    if begin is not None:
        return _again(begin, context, original, stack_id, values, exp_trvsl)
    with predicate.only_unlocked(context):
        return original(context, stack_id, values, exp_trvsl=exp_trvsl)


@patching.wrap('(context, stack_id, engine_id, values)', why=_WHY)
def persist_state_and_release_lock(original, context, stack_id, engine_id,
                                   values):
    if under_way.current() != under_way.EXPORT:
        values = {**values, **_NOTHING_SHOWN}
    with predicate.only_unlocked(context):
        left_behind = _again(original, context, stack_id, engine_id, values)
    if left_behind:
        # Heat deletes the StackLock row only when the UPDATE met a row.
        return heat_db_api.stack_lock_release(context, stack_id, engine_id)
    return left_behind


@patching.wrap('(context, values)', why=_WHY)
def stack_create(original, context, values):
    if values.get('owner_id') is None or values.get('backup'):
        # A backup stack is made under the StackLock of its owner.
        return original(context, values)
    return _again(_create_nested, context, original, values)


def _create_nested(context, original, values):
    with heat_db_api.context_manager.writer.using(context) as session:
        _check_owner(context, session, values['owner_id'])
        return original(context, values)


def _check_owner(context, session, owner_id):
    # Holds the parent's row until the child is there: either the lock's
    # transaction sees the child, or this one sees the lock.
    stack = models.Stack.__table__
    row = session.execute(
        sqlalchemy.select(stack).where(stack.c.id == owner_id)
        .with_for_update(read=True)).first()
    if row is not None and row.lock_level is not None:
        raise errors.StackLocked(
            stack_id=row.id,
            message=locks.Lock.from_row(row).describe(
                row.name, row.id, context.project_id))


@patching.wrap(
    '(context, resource_id, values, atomic_key, expected_engine_id=None)',
    why=_WHY)
def resource_update(original, context, resource_id, values, atomic_key,
                    expected_engine_id=None):
    if not writers.is_refused(values):
        return original(context, resource_id, values, atomic_key,
                        expected_engine_id=expected_engine_id)
    with predicate.only_unlocked(context):
        updated = original(context, resource_id, values, atomic_key,
                           expected_engine_id=expected_engine_id)
    if not updated and writers.starts_scaling(values):
        # Heat would try the same ten times more.
        _refuse_of_resource(context, resource_id)
    return updated


def _refuse_of_resource(context, resource_id):
    with heat_db_api.context_manager.reader.independent.using(
            context) as session:
        stack_id = session.scalar(
            sqlalchemy.select(models.Resource.stack_id)
            .where(models.Resource.id == resource_id))
    if stack_id is not None:
        refusal.check_again(context, stack_id, under_way.SIGNAL)


@patching.wrap('(context, resource_id, values)', why=_WHY)
def resource_update_and_save(original, context, resource_id, values):
    if not writers.is_refused(values):
        return original(context, resource_id, values)
    return _again(_update, context, models.Resource, original, resource_id,
                  values)


@patching.wrap('(context, values)', why=_WHY)
def resource_create(original, context, values):
    return _again(_insert, context, original, values)


@patching.wrap(
    '(context, existing_res_id, new_res_values, atomic_key, '
    'expected_engine_id=None)', why=_WHY)
def resource_create_replacement(original, context, existing_res_id,
                                new_res_values, *args, **kwargs):
    def create(context, guarded):
        with predicate.only_unlocked(context):
            return original(context, existing_res_id, guarded, *args,
                            **kwargs)
    return _insert(context, create, new_res_values)


@patching.wrap('(context, values)', why=_WHY)
def snapshot_create(original, context, values):
    return _again(_insert, context, original, values)


@patching.wrap('(context, snapshot_id, values)', why=_WHY)
def snapshot_update(original, context, snapshot_id, values):
    return _again(_update, context, models.Snapshot, original, snapshot_id,
                  values)


@patching.wrap('(context, stack_id, tags)', why=_WHY)
def stack_tags_set(original, context, stack_id, tags):
    return _again(_set_tags, context, original, stack_id, tags)


def _set_tags(context, original, stack_id, tags):
    try:
        rows = original(context, predicate.unlocked_stack_id(stack_id), tags)
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)
    for row in rows or ():
        _forget_expression(row, stack_id)
    return rows


def _insert(context, create, values):
    stack_id = values['stack_id']
    guarded = {**values, 'stack_id': predicate.unlocked_stack_id(stack_id)}
    try:
        row = create(context, guarded)
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)
    if row is not None:
        _forget_expression(row, stack_id)
    return row


def _update(context, model, original, row_id, values):
    stack_id = None
    try:
        with heat_db_api.context_manager.writer.using(context) as session:
            # Heat's function gets the same object, without a statement.
            row = session.get(model, row_id)
            if row is None:
                return original(context, row_id, values)
            stack_id = values.get('stack_id', row.stack_id)
            result = original(context, row_id, {
                **values, 'stack_id': predicate.unlocked_stack_id(stack_id)})
            session.flush()
            _forget_expression(row, stack_id)
            return result
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)


def _forget_expression(row, stack_id):
    # Else the next look at the attribute would ask the database for what
    # the expression came to.
    orm.attributes.set_committed_value(row, 'stack_id', stack_id)


def _again(write, context, *args):
    """Call a writer, again if it loses a row to another transaction.

    Heat does so for some of its writers; with locks there is one more that
    they can lose to. Inside a caller's transaction all of it is lost.
    """
    if getattr(context, 'session', None) is None:
        write = heat_db_api.retry_on_db_error(write)
    return write(context, *args)


def _refuse_or_raise(context, stack_id, error):
    if stack_id is not None:
        refusal.check_again(context, stack_id, 'write')
    raise error
