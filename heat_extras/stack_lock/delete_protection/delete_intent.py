# SPDX-License-Identifier: Apache-2.0

"""The intent to delete: no protection from deletion is set beside it.

Heat ends what runs in a stack before its UPDATE sets DELETE_IN_PROGRESS:
convergence stops the traversal (EngineService.delete_stack), the legacy
engine cancels the threads of the operation that holds the StackLock. A
deletion that is refused must not have done that. So it first stores its intent
in the row of the root, in a transaction that refuses on a protected one; and
no protection is set beside an intent. A deletion that ends nothing needs none:
its own UPDATE asks for the protection.

Several deletions of a tree can have one, and those of engines that are down do
not count. An engine that was considered down, and continues, meets no row with
its next UPDATE.
"""

import contextlib
import contextvars
import dataclasses
import functools

from heat.common import context as heat_context
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras import context_vars
from heat_extras.db import connection_errors
from heat_extras.db import retries
from heat_extras.heat_internals import guard_tree
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__

_under_way = contextvars.ContextVar('heat_extras_delete_intent', default=None)


class DeleteIntent:
    """The intent of one deletion, as the row of its root has it, if any.

    :param engine_id: of the engine that deletes.
    :ivar has_begun: whether the database shows the deletion by now.
    :ivar has_written: whether it has written anything at all to a stack.
    :ivar is_to_wait: whether it continues in another thread, which waits for
        what it has cancelled. No other thread that is started meanwhile, for
        example of plugins, ends the intent.
    """

    def __init__(self, engine_id):
        # A service that is not started has none; no engine is called so.
        self._entry = f'{engine_id or "unknown"}/{uuidutils.generate_uuid()};'
        self._root_id = None
        self._is_handed_over = False
        self.has_begun = self.has_written = self.is_to_wait = False

    @property
    def is_stored(self):
        return self._root_id is not None and not self.has_begun

    def store(self, context, root_id):
        """Store it in the row of a root, unless that is protected.

        :returns: the :class:`protection.Protection` that is there.
        """
        found = protection.NONE
        if self._root_id is None:
            found = _store(context, root_id, self._entry)
            if not found.is_there:
                self._root_id = root_id
        return found

    def is_in_database(self):
        """Return an expression: whether the row of the root has it still."""
        # MySQL reads no table in an UPDATE of it, but for a result.
        root = (sqlalchemy.select(_stack.c.id).distinct()
                .where(_stack.c.id == self._root_id,
                       _stack.c.delete_intents.contains(self._entry))
                .subquery())
        return sqlalchemy.exists().select_from(root)

    def start(self, start, stack_id, function, *args, **kwargs):
        """Start a thread, which ends the intent if it is the one that waits.

        :param start: Heat's own way to do it.
        """
        operation = request_context.get_operation()
        if (operation is None or not self.is_stored or self._is_handed_over
                or not self.is_to_wait):
            return start(stack_id, function, *args, **kwargs)

        def run(*args, **kwargs):
            with (context_vars.override(_under_way, self),
                  request_context.set_operation(operation)):
                return function(*args, **kwargs)
        thread = start(stack_id, run, *args, **kwargs)
        self._is_handed_over = True
        # Also of a thread that is stopped before it runs.
        thread.link(lambda ended: self._remove())
        return thread

    def end(self):
        """Remove it, unless another thread does."""
        if self._root_id is not None and not self._is_handed_over:
            self._remove()

    def _remove(self):
        try:
            _remove(self._root_id, self._entry)
        except Exception:
            LOG.exception('The intent to delete stack %s could not be '
                          'removed. It cannot be protected from deletion '
                          'until this engine is restarted', self._root_id)


@contextlib.contextmanager
def delete_context(engine_id):
    """Record that this thread deletes a stack; its intent ends with this."""
    intent = DeleteIntent(engine_id)
    try:
        with context_vars.override(_under_way, intent):
            yield intent
    finally:
        intent.end()


def record_update(values, is_written):
    """Record that this thread's deletion has updated a stack, or has begun.

    :param values: what it writes.
    :param is_written: the result of the update, which is returned.
    """
    intent = _under_way.get()
    if intent is not None and is_written:
        intent.has_written = True
        intent.has_begun |= begins_deletion(values)
    return is_written


def begins_deletion(values):
    """Return whether the UPDATE of a stack begins a deletion."""
    return (values.get('action'), values.get('status')) == (
        protection.DELETE, states.IN_PROGRESS)


def start_thread(start, stack_id, function, *args, **kwargs):
    """Start a thread as Heat does, maybe one that ends this thread's intent.

    What that thread begins, it begins as the deletion of this thread.
    """
    intent = _under_way.get()
    if intent is not None:
        start = functools.partial(intent.start, start)
    return start(stack_id, function, *args, **kwargs)


def current_intent():
    """Return the :class:`DeleteIntent` of this thread, or None."""
    return _under_way.get()


def stored_intent():
    """Return the intent that this thread has stored and not carried out."""
    intent = _under_way.get()
    return intent if intent is not None and intent.is_stored else None


@retries.on_db_error
def _store(context, root_id, entry):
    with lock_transaction.transaction(context) as session:
        row = hold_root(session, root_id)
        if row is None:
            return protection.NONE
        found = read_protection(session, row.id, row)
        others = row.delete_intents or ''
        # It is there if an attempt before was done without an answer.
        if not found.is_there and entry not in others:
            session.execute(sqlalchemy.update(_stack)
                            .where(_stack.c.id == root_id)
                            .values(delete_intents=others + entry))
    return found


def hold_root(session, root_id):
    """Lock the row of a root until the transaction ends.

    With an UPDATE, as SQLite has a transaction from its first change on.

    :returns: the row, or None.
    """
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id == root_id)
                    .values(delete_intents=_stack.c.delete_intents))
    return session.execute(
        sqlalchemy.select(_stack).where(_stack.c.id == root_id)).first()


def read_protection(session, root_id, columns):
    """Return what protects a root from deletion now.

    :param columns: anything with the columns of its row.
    """
    return dataclasses.replace(
        protection.Protection.from_row(columns),
        tag=protection_tag.tag_of_stack(session, root_id))


# As long as this engine lives, no other one would do it.
@connection_errors.retry_until_available
@retries.on_db_error
def _remove(root_id, entry):
    context = heat_context.RequestContext(is_admin=True, overwrite=False)
    left = sqlalchemy.func.replace(_stack.c.delete_intents, entry, '')
    with lock_transaction.transaction(context) as session:
        session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id == root_id,
                   _stack.c.delete_intents.contains(entry))
            .values(delete_intents=sqlalchemy.func.nullif(left, '')))


def engines_deleting(row):
    """Return the IDs of the engines with an intent to delete a root."""
    return {each.partition('/')[0]
            for each in (row.delete_intents or '').split(';') if each}


@retries.on_db_error
def read_engines_deleting(context, root_id):
    """Read what :func:`engines_deleting` returns."""
    return {engine_id for row in guard_tree.run_query(
        context, sqlalchemy.select(_stack.c.delete_intents)
        .where(_stack.c.id == root_id)) for engine_id in engines_deleting(row)}


def update_criteria(values):
    """Return what the UPDATE of a stack requires; nothing for most.

    :param values: what the UPDATE writes.
    :returns: expressions.
    """
    begins, own = begins_deletion(values), stored_intent()
    if own is None:
        return (_is_unprotected(), _is_untagged()) if begins else ()
    if own.has_written:
        # What was ended in part would stay so for ever.
        return (_is_unprotected(),) if begins else ()
    return (_is_unprotected(), own.is_in_database())


def _is_unprotected():
    return heat_models.Stack.delete_protection_id.is_(None)


def _is_untagged():
    # The legacy engine writes twice that it begins (Stack.delete).
    stack = heat_models.Stack
    return protection_tag.is_absent() | sqlalchemy.and_(
        stack.action == protection.DELETE, stack.status == states.IN_PROGRESS)
