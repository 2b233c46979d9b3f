# SPDX-License-Identifier: Apache-2.0

"""Make Heat's own SQL statements fail for a locked stack.

A separate check before a write would need a query, and a lock could be set
between the check and the write. So the lock is a part of Heat's statement. An
UPDATE has a predicate. If SQLAlchemy's unit of work builds the statement, the
foreign key ``stack_id`` is an expression that is NULL if the stack is locked,
and the database rejects it. The caller then receives the reason, or the write
is repeated if the stack was unlocked in the meantime.
"""


from heat.db import api as heat_db_api
from heat.db import models
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy
from sqlalchemy import orm

from heat_extras.db import models as extras_models
from heat_extras.db import transactions
from heat_extras.stack_lock import check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations

LOG = logging.getLogger(__name__)

# A write of only these values does not change a resource, except for metadata
# that a scaling is in progress.
_PASSING_VALUES = frozenset({'rsrc_metadata', 'attr_data_id', 'atomic_key'})


def is_refused(values):
    """Return whether a lock rejects a write of these values to a resource.

    :param values: the dict that is passed to the writer.
    """
    return (not _PASSING_VALUES.issuperset(values) or starts_scaling(values))


def starts_scaling(values):
    """Return whether a write of metadata starts to scale a group.

    A group accepts no other signal until the same thread resets this value
    (heat.scaling.cooldown.CooldownMixin). If the engine died in between, the
    locked group would never scale again. For the same reason, a scaling that
    started before the lock can write its end. Wait conditions write a dict
    with a name of their caller, and never this value.
    """
    metadata = values.get('rsrc_metadata')
    return (isinstance(metadata, dict)
            and metadata.get('scaling_in_progress') is True)


def unlocked_stack_id(stack_id):
    """Return an expression for *stack_id* that is NULL for a locked stack.

    The statement locks the stack's row until the transaction ends, so that a
    stack lock waits for the write, or the write for the stack lock.
    """
    level = (sqlalchemy.select(models.Stack.lock_level)
             .where(models.Stack.id == stack_id)
             .with_for_update(read=True)
             .scalar_subquery())
    return sqlalchemy.case(
        (level.is_(None), sqlalchemy.literal(stack_id,
                                             sqlalchemy.String(36))),
        else_=sqlalchemy.null())


def create_nested(context, original, values):
    """Create a nested stack, unless its owner is locked.

    :raises StackLocked: if the owner is locked.
    """
    try:
        with heat_db_api.context_manager.writer.using(context) as session:
            # This locks the parent's row until the child exists. So the
            # lock's transaction sees the child, or this one sees the lock.
            if _is_passing(_owner_lock(context, session, values, read=True)):
                raise _PassInUse()
            return original(context, values)
    except _PassInUse:
        return _create_with_lock(context, original, values)


class _PassInUse(Exception):
    """An update with a lock pass of the owner is in progress."""


def _create_with_lock(context, original, values):
    stack = models.Stack.__table__
    with heat_db_api.context_manager.writer.using(context) as session:
        # A transaction in SQLite starts with its first change.
        session.execute(
            sqlalchemy.update(stack).where(stack.c.id == values['owner_id'])
            .values(lock_passing=stack.c.lock_passing))
        row = _owner_lock(context, session, values)
        if not _is_passing(row):
            return original(context, values)
        # This must conflict with an unlock at the same time. On another node
        # of Galera, it only conflicts if both change the row of the lock.
        guard_row.update(session, row.lock_id,
                         operation_id=uuidutils.generate_uuid())
        return original(context, {**values, 'lock_id': row.lock_id,
                                  'lock_passing': row.lock_passing})


def _is_passing(row):
    return row is not None and row.lock_passing is not None


def _owner_lock(context, session, values, read=False):
    stack = models.Stack.__table__
    row = session.execute(
        sqlalchemy.select(stack).where(stack.c.id == values['owner_id'])
        .with_for_update(read=read)).first()
    lock = (lock_record.UNLOCKED if row is None
            else lock_record.Lock.from_columns(row))
    if lock.is_in_effect and lock.refuses(operations.NESTED_CREATE):
        lock = guard_row.read_in(session, extras_models.LOCK, row.id, row)
        raise errors.StackLocked(stack_id=row.id, message=lock.describe(
            row.name, row.id, context.project_id))
    return row


def insert_row(context, create, values):
    """Insert a row of a stack, unless the stack is locked.

    :param create: a function of the context and values that returns the row.
    :raises StackLocked: if the stack is locked.
    """
    stack_id = values['stack_id']
    guarded = {**values, 'stack_id': unlocked_stack_id(stack_id)}
    try:
        row = create(context, guarded)
    except db_exception.DBError as error:
        _raise_reason(context, stack_id, error)
    if row is not None:
        _replace_expression(row, stack_id)
    return row


def update_row(context, model, original, row_id, values):
    """Update a row of a stack with Heat's function, unless it is locked.

    :param model: the mapped class of the row.
    :raises StackLocked: if the stack is locked.
    """
    stack_id = None
    try:
        with heat_db_api.context_manager.writer.using(context) as session:
            # Heat's function gets the same object, without a further query.
            row = session.get(model, row_id)
            if row is None:
                return original(context, row_id, values)
            stack_id = values.get('stack_id', row.stack_id)
            result = original(context, row_id, {
                **values, 'stack_id': unlocked_stack_id(stack_id)})
            session.flush()
            _replace_expression(row, stack_id)
            return result
    except db_exception.DBError as error:
        _raise_reason(context, stack_id, error)


def set_tags(context, original, stack_id, tags):
    """Write the tags of a stack with Heat's function, unless it is locked.

    :raises StackLocked: if the stack is locked.
    """
    try:
        rows = original(context, unlocked_stack_id(stack_id), tags)
    except db_exception.DBError as error:
        _raise_reason(context, stack_id, error)
    for row in rows or ():
        _replace_expression(row, stack_id)
    return rows


def change_template(context, original, template_id, values):
    """Update a template with Heat's function, unless its stack is locked.

    Only legacy stacks change their template in place
    (heat.engine.update.StackUpdate, Stack._merge_user_param_template). The
    last such change is before the state FAILED, which is not written either.

    :returns: the template's row.
    """
    with heat_db_api.context_manager.writer.using(context) as session:
        rows = _with_locks(session, models.RawTemplate,
                           models.Stack.raw_template_id
                           == models.RawTemplate.id, [template_id])
        if any(level is not None for _, level in rows):
            LOG.info('Template %s was not changed: its stack is locked',
                     template_id)
            return rows[0][0]
        return original(context, template_id, values)


def exchange_resources(context, original, *resource_ids):
    """Exchange the stacks of resources with Heat's function.

    :raises StackLocked: if one of the stacks is locked.
    """
    with heat_db_api.context_manager.writer.using(context) as session:
        rows = _with_locks(session, models.Resource, models.Stack.id
                           == models.Resource.stack_id, resource_ids)
        locked = [row.stack_id for row, level in rows if level is not None]
        if not locked:
            return original(context, *resource_ids)
    check.check_again(context, locked[0], operations.OTHER)
    # The stack was unlocked in the meantime.
    raise db_exception.RetryRequest(errors.StackLocked(stack_id=locked[0]))


def _with_locks(session, model, of_stack, ids):
    # Heat's function gets the same rows, without a further query. This locks
    # them and their stacks, so that a stack lock waits for the write. A query
    # for only the locked stacks would not lock the rows of other stacks in
    # PostgreSQL.
    return session.execute(
        sqlalchemy.select(model, models.Stack.lock_level)
        .join(models.Stack, of_stack).where(model.id.in_(ids))
        .with_for_update(read=True)).all()


def raise_if_locked(context, resource_id):
    """Raise an error if a write to a resource failed because of a lock.

    :raises StackLocked: if the stack of the resource is locked.
    """
    with heat_db_api.context_manager.reader.independent.using(
            context) as session:
        stack_id = session.scalar(
            sqlalchemy.select(models.Resource.stack_id)
            .where(models.Resource.id == resource_id))
    if stack_id is not None:
        check.check_again(context, stack_id, operations.SCALE)


def _replace_expression(row, stack_id):
    # Without this, SQLAlchemy would query the value of the expression when
    # the attribute is read.
    orm.attributes.set_committed_value(row, 'stack_id', stack_id)


def _raise_reason(context, stack_id, error):
    if stack_id is not None:
        check.check_again(context, stack_id, operations.OTHER)
        if (_is_from_expression(error)
                and not transactions.is_in_transaction(context)):
            # The stack was locked during the write, but is now unlocked.
            raise db_exception.RetryRequest(error)
    raise error


def _is_from_expression(error):
    cause = error.inner_exception
    return (isinstance(cause, sqlalchemy.exc.IntegrityError)
            and 'stack_id' in str(cause.orig))
