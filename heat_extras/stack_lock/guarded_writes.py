# SPDX-License-Identifier: Apache-2.0

"""Heat's own statements, made to miss or fail on a locked stack.

A check before a write would cost a statement, and a lock could be set between
the two. So the lock becomes part of Heat's statement. An UPDATE gets it as a
predicate. If SQLAlchemy's unit of work builds the statement, the foreign key
``stack_id`` is written as an expression that is NULL when the stack is
locked, which the database refuses. The caller then gets the reason, or the
write is repeated if the stack has been unlocked since.
"""

import contextlib
import contextvars
import functools

from heat.db import api as heat_db_api
from heat.db import models
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy
from sqlalchemy import orm

from heat_extras import context_vars
from heat_extras.db import retries
from heat_extras.stack_lock import check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations

LOG = logging.getLogger(__name__)

# A write of nothing but these leaves the resource what it is, but for
# metadata that say that it is being scaled.
_PASSING_VALUES = frozenset({'rsrc_metadata', 'attr_data_id', 'atomic_key'})

_only_unlocked = contextvars.ContextVar('heat_extras_only_unlocked',
                                        default=False)

# More that the UPDATE of a stack asks for.
_more = contextvars.ContextVar('heat_extras_more_criteria', default=())


def is_refused(values):
    """Return whether a lock refuses a write of these values to a resource.

    :param values: the dict that is handed to the writer.
    """
    return (not _PASSING_VALUES.issuperset(values) or starts_scaling(values))


def starts_scaling(values):
    """Return whether a write of metadata begins to scale a group.

    No other signal reaches a group until the same thread takes it back
    (heat.scaling.cooldown.CooldownMixin), so an engine that dies in between
    would leave a locked group that never scales again. The end of a scaling
    that began before the lock passes for the same reason. Wait conditions
    keep a dict under whatever name their caller chose, never this value.
    """
    metadata = values.get('rsrc_metadata')
    return (isinstance(metadata, dict)
            and metadata.get('scaling_in_progress') is True)


def also(criteria):
    """Let updates of stacks in this thread ask for more.

    :param criteria: expressions.
    """
    return context_vars.override(_more, criteria)


@contextlib.contextmanager
def only_unlocked(context):
    """Let bulk updates in this thread meet the rows of unlocked stacks.

    :param context: what they are made with; it may be inside a transaction.
    """
    with context_vars.override(_only_unlocked, True):
        session = getattr(context, 'session', None)
        if session is not None:
            _add_to(session)
        yield


def unlocked_stack_id(stack_id):
    """Return an expression for *stack_id* that is NULL on a locked stack.

    It holds the stack's row until the transaction ends, so that a lock
    waits for the write, or the write for the lock.
    """
    level = (sqlalchemy.select(models.Stack.lock_level)
             .where(models.Stack.id == stack_id)
             .with_for_update(read=True)
             .scalar_subquery())
    return sqlalchemy.case(
        (level.is_(None), sqlalchemy.literal(stack_id,
                                             sqlalchemy.String(36))),
        else_=sqlalchemy.null())


@functools.cache
def _of_unlocked_stack():
    stack = models.Stack.__table__
    return ~sqlalchemy.exists().where(
        stack.c.id == models.Resource.stack_id,
        stack.c.lock_level.is_not(None))


def _of_stack():
    return sqlalchemy.and_(models.Stack.lock_level.is_(None), *_more.get())


_PREDICATES = {
    models.Stack: _of_stack,
    models.Resource: _of_unlocked_stack,
}


def add_predicate(execution):
    """Narrow a bulk UPDATE; a listener of one of SQLAlchemy's sessions."""
    if execution.is_update and _only_unlocked.get():
        predicate = _PREDICATES.get(execution.bind_mapper.class_)
        if predicate is not None:
            execution.statement = execution.statement.where(predicate())
            # SQLAlchemy cannot evaluate the predicate in Python, and would
            # ask for the rows first where there is no UPDATE ... RETURNING.
            execution.update_execution_options(synchronize_session=False)


def _add_to_new(session, transaction):
    if _only_unlocked.get():
        _add_to(session)


def _add_to(session):
    # To this session alone: a session with a listener prepares each
    # statement twice, and most sessions only read.
    if not sqlalchemy.event.contains(session, 'do_orm_execute',
                                     add_predicate):
        sqlalchemy.event.listen(session, 'do_orm_execute', add_predicate)


_EVERY_SESSION = (orm.Session, 'after_transaction_create', _add_to_new)


def start():
    """Listen to all sessions; twice is the same as once."""
    if not sqlalchemy.event.contains(*_EVERY_SESSION):
        sqlalchemy.event.listen(*_EVERY_SESSION)


def stop():
    """Stop listening."""
    if sqlalchemy.event.contains(*_EVERY_SESSION):
        sqlalchemy.event.remove(*_EVERY_SESSION)


def create_nested(context, original, values):
    """Write a nested stack, unless its owner is locked.

    :raises StackLocked:
    """
    try:
        with heat_db_api.context_manager.writer.using(context) as session:
            # Holds the parent's row until the child is there: either the
            # lock's transaction sees the child, or this one sees the lock.
            if _is_passing(_owner_lock(context, session, values, read=True)):
                raise _Passing()
            return original(context, values)
    except _Passing:
        return _create_with_lock(context, original, values)


class _Passing(Exception):
    """An update goes through the lock of the owner, with a pass."""


def _create_with_lock(context, original, values):
    # Who lifts the lock meanwhile must meet this one: on another server of
    # Galera only what changes the owner's row, too, does.
    stack = models.Stack.__table__
    with heat_db_api.context_manager.writer.using(context) as session:
        session.execute(
            sqlalchemy.update(stack)
            .where(stack.c.id == values['owner_id'],
                   stack.c.lock_passing.is_not(None))
            .values(lock_operation_id=uuidutils.generate_uuid()))
        row = _owner_lock(context, session, values)
        copied = ({name: getattr(row, name) for name in lock_record.COLUMNS}
                  if _is_passing(row) else {})
        return original(context, {**values, **copied})


def _is_passing(row):
    return row is not None and row.lock_passing is not None


def _owner_lock(context, session, values, read=False):
    stack = models.Stack.__table__
    row = session.execute(
        sqlalchemy.select(stack).where(stack.c.id == values['owner_id'])
        .with_for_update(read=read)).first()
    lock = lock_record.UNLOCKED if row is None else lock_record.Lock.from_row(
        row)
    if lock.is_in_effect and lock.refuses(operations.NESTED_CREATE):
        raise errors.StackLocked(stack_id=row.id, message=lock.describe(
            row.name, row.id, context.project_id))
    return row


def insert(context, create, values):
    """Write a new row of a stack.

    :param create: takes the context and values, and returns the row.
    :raises StackLocked:
    """
    stack_id = values['stack_id']
    guarded = {**values, 'stack_id': unlocked_stack_id(stack_id)}
    try:
        row = create(context, guarded)
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)
    if row is not None:
        _forget_expression(row, stack_id)
    return row


def update(context, model, original, row_id, values):
    """Change a row of a stack as Heat's function does.

    :param model: the mapped class of the row.
    :raises StackLocked:
    """
    stack_id = None
    try:
        with heat_db_api.context_manager.writer.using(context) as session:
            # Heat's function gets the same object, without a statement.
            row = session.get(model, row_id)
            if row is None:
                return original(context, row_id, values)
            stack_id = values.get('stack_id', row.stack_id)
            result = original(context, row_id, {
                **values, 'stack_id': unlocked_stack_id(stack_id)})
            session.flush()
            _forget_expression(row, stack_id)
            return result
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)


def set_tags(context, original, stack_id, tags):
    """Write the tags of a stack as Heat's function does.

    :raises StackLocked:
    """
    try:
        rows = original(context, unlocked_stack_id(stack_id), tags)
    except db_exception.DBError as error:
        _refuse_or_raise(context, stack_id, error)
    for row in rows or ():
        _forget_expression(row, stack_id)
    return rows


def change_template(context, original, template_id, values):
    """Write a template as Heat's function does; nothing on a locked stack.

    Only legacy stacks change theirs in place
    (heat.engine.update.StackUpdate, Stack._merge_user_param_template), at last
    before they write that they have failed, of which nothing comes either.

    :returns: the template's row.
    """
    with heat_db_api.context_manager.writer.using(context) as session:
        found = _with_locks(session, models.RawTemplate,
                            models.Stack.raw_template_id
                            == models.RawTemplate.id, [template_id])
        if any(level is not None for _, level in found):
            LOG.info('Template %s was not changed: its stack is locked',
                     template_id)
            return found[0][0]
        return original(context, template_id, values)


def exchange(context, original, *resource_ids):
    """Let resources change places as Heat's function does.

    :raises StackLocked: when one of their stacks is locked.
    """
    with heat_db_api.context_manager.writer.using(context) as session:
        found = _with_locks(session, models.Resource, models.Stack.id
                            == models.Resource.stack_id, resource_ids)
        locked = [row.stack_id for row, level in found if level is not None]
        if not locked:
            return original(context, *resource_ids)
    check.check_again(context, locked[0], operations.OTHER)
    # It has been lifted meanwhile.
    raise db_exception.RetryRequest(errors.StackLocked(stack_id=locked[0]))


def _with_locks(session, model, of_stack, ids):
    # Heat's function gets the same rows, without a statement. They are held
    # with their stacks, so that a lock waits for the write; asked for those
    # that are locked alone, PostgreSQL would hold none that becomes so.
    return session.execute(
        sqlalchemy.select(model, models.Stack.lock_level)
        .join(models.Stack, of_stack).where(model.id.in_(ids))
        .with_for_update(read=True)).all()


def refuse_of_resource(context, resource_id):
    """Tell the caller when it is a lock that kept a write from a resource.

    :raises StackLocked:
    """
    with heat_db_api.context_manager.reader.independent.using(
            context) as session:
        stack_id = session.scalar(
            sqlalchemy.select(models.Resource.stack_id)
            .where(models.Resource.id == resource_id))
    if stack_id is not None:
        check.check_again(context, stack_id, operations.SCALE)


def _forget_expression(row, stack_id):
    # Else the next look at the attribute would ask the database for what
    # the expression came to.
    orm.attributes.set_committed_value(row, 'stack_id', stack_id)


def _refuse_or_raise(context, stack_id, error):
    if stack_id is not None:
        check.check_again(context, stack_id, operations.OTHER)
        if _is_of_expression(error) and not retries.is_in_transaction(context):
            # Locked when it was written, and unlocked by now.
            raise db_exception.RetryRequest(error)
    raise error


def _is_of_expression(error):
    cause = error.inner_exception
    return (isinstance(cause, sqlalchemy.exc.IntegrityError)
            and 'stack_id' in str(cause.orig))
