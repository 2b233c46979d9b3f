# SPDX-License-Identifier: Apache-2.0

"""Make Heat's own statements miss, or fail, on a locked stack.

A check before a write would cost a statement, and a lock could come between
the two. So the lock becomes part of Heat's statement: an UPDATE gets it as a
predicate, and where SQLAlchemy's unit of work builds the statement, the
foreign key ``stack_id`` is written as an expression that is NULL when the
stack is locked, which the database refuses.
"""

import contextlib
import contextvars
import functools

from heat.db import models
import sqlalchemy
from sqlalchemy import orm

from heat_extras import scoped

_only_unlocked = contextvars.ContextVar('heat_extras_only_unlocked',
                                        default=False)

# More that the UPDATE of a stack asks for.
_more = contextvars.ContextVar('heat_extras_more_criteria', default=())


def also(criteria):
    """Let updates of stacks in this thread ask for more.

    :param criteria: expressions.
    """
    return scoped.value(_more, criteria)


@contextlib.contextmanager
def only_unlocked(context):
    """Let bulk updates in this thread meet the rows of unlocked stacks.

    :param context: what they are made with; it may be inside a transaction.
    """
    with scoped.value(_only_unlocked, True):
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
