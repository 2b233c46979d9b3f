# SPDX-License-Identifier: Apache-2.0

"""How the statements of Heat that this thread executes differ from Heat's.

Heat's functions between a check and its statement have fixed arguments, so the
options are set for the duration of a block. A listener adds the criteria of
these options to the UPDATE.
"""

import contextlib
import contextvars
import dataclasses
import functools
import typing

from heat.db import models
import sqlalchemy
from sqlalchemy import orm

from heat_extras import rpc_request


@dataclasses.dataclass(frozen=True)
class WriteOptions:
    """The options of the statements in a block.

    :param is_persisting: whether this is Stack._persist_state, which writes
        the state of an operation that starts or ends.
    :param is_only_unlocked: whether bulk updates change only the rows of
        unlocked stacks.
    :param criteria: additional criteria of the UPDATE of a stack.
    :param adds_tags_to: the ID of the root whose next UPDATE also writes the
        tags that protect from deletion.
    :param added_tags: these tags.
    :param stores_tags_of: the root that an operation of the convergence engine
        stores.
    """

    is_persisting: bool = False
    is_only_unlocked: bool = False
    criteria: tuple = ()
    adds_tags_to: str | None = None
    added_tags: typing.Sequence[str] = ()
    stores_tags_of: typing.Any = None


_UNCHANGED = WriteOptions()

_current = contextvars.ContextVar('heat_extras_write_options',
                                  default=_UNCHANGED)


def current() -> WriteOptions:
    """Return the options of this thread."""
    return _current.get()


def changed(**options: typing.Any) -> typing.Any:
    """Change options of this thread, as a context manager."""
    return rpc_request.override(
        _current, dataclasses.replace(_current.get(), **options))


def is_persisting() -> bool:
    """Return whether this thread is in Stack._persist_state."""
    return _current.get().is_persisting


@contextlib.contextmanager
def only_unlocked(context, criteria=()):
    """Restrict bulk updates in this thread to the rows of unlocked stacks.

    :param context: the context of the updates, which can have a transaction.
    :param criteria: additional criteria of the UPDATE of a stack.
    """
    with changed(is_only_unlocked=True, criteria=criteria):
        session = getattr(context, 'session', None)
        if session is not None:
            _listen_to(session)
        yield


@functools.cache
def _resource_criteria():
    stack = models.Stack.__table__
    return ~sqlalchemy.exists().where(
        stack.c.id == models.Resource.stack_id,
        stack.c.lock_level.is_not(None))


def _stack_criteria():
    return sqlalchemy.and_(models.Stack.lock_level.is_(None),
                           *current().criteria)


_PREDICATES = {
    models.Stack: _stack_criteria,
    models.Resource: _resource_criteria,
}


def add_predicate(execution):
    """Add the predicate to a bulk UPDATE, as a listener of SQLAlchemy."""
    if execution.is_update and current().is_only_unlocked:
        predicate = _PREDICATES.get(execution.bind_mapper.class_)
        if predicate is not None:
            execution.statement = execution.statement.where(predicate())
            # SQLAlchemy cannot evaluate the predicate in Python. Without
            # UPDATE ... RETURNING, it would query the rows first.
            execution.update_execution_options(synchronize_session=False)


def _listen_to_new(session, transaction):
    if current().is_only_unlocked:
        _listen_to(session)


def _listen_to(session):
    # Listen only to this session: a session with a listener prepares each
    # statement twice, and most sessions only read.
    if not sqlalchemy.event.contains(session, 'do_orm_execute',
                                     add_predicate):
        sqlalchemy.event.listen(session, 'do_orm_execute', add_predicate)


_EVERY_SESSION = (orm.Session, 'after_transaction_create', _listen_to_new)


def start():
    """Listen to all sessions, unless this is already so."""
    if not sqlalchemy.event.contains(*_EVERY_SESSION):
        sqlalchemy.event.listen(*_EVERY_SESSION)


def stop():
    """Stop listening."""
    if sqlalchemy.event.contains(*_EVERY_SESSION):
        sqlalchemy.event.remove(*_EVERY_SESSION)
