# SPDX-License-Identifier: Apache-2.0

"""The intent to delete, which prevents a protection from deletion.

Heat stops an operation in progress before its UPDATE sets DELETE_IN_PROGRESS:
convergence stops the traversal (EngineService.delete_stack), and the legacy
engine cancels the threads of the operation that holds the StackLock. A
rejected deletion must not have stopped an operation. So it first stores its
intent in the row of the root, in a transaction that fails for a protected
root. While a root has an intent, it cannot be protected. If a deletion stops
no operation, it needs no intent, because its own UPDATE checks the protection.

Several deletions of a tree can have an intent. Intents of engines that are
down do not count. If an engine was considered down but continues, its next
UPDATE changes no row.
"""

import contextlib
import dataclasses
import functools

from heat.common import context as heat_context
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import guarded_stacks
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__


class DeleteIntent:
    """The intent of one deletion, stored in the row of its root or not.

    :param engine_id: the ID of the engine that deletes.
    :ivar has_begun: whether the database already shows the deletion.
    :ivar has_written: whether the deletion has written to a stack.
    :ivar is_to_wait: whether the deletion continues in another thread, which
        waits for the cancelled operation. Other threads that are started
        before, for example of plugins, do not end the intent.
    """

    def __init__(self, engine_id):
        # A service that is not started has no engine ID. No engine has the ID
        # "unknown".
        self._entry = f'{engine_id or "unknown"}/{uuidutils.generate_uuid()};'
        self._root_id = None
        self._is_handed_over = False
        self.has_begun = self.has_written = self.is_to_wait = False

    @property
    def is_stored(self):
        return self._root_id is not None and not self.has_begun

    def store(self, context, root_id):
        """Store the intent in the row of a root, unless it is protected.

        :returns: the :class:`protection.Protection` of the root.
        """
        root_protection = protection.NONE
        if self._root_id is None:
            root_protection = _store_entry(context, root_id, self._entry)
            if not root_protection.is_set:
                self._root_id = root_id
        return root_protection

    def is_in_database(self):
        """Return an expression whether the row still has the intent."""
        # In an UPDATE of a table, MySQL can only read the same table from a
        # subquery with a result of its own.
        root = (sqlalchemy.select(_stack.c.id).distinct()
                .where(_stack.c.id == self._root_id,
                       _stack.c.delete_intents.contains(self._entry))
                .subquery())
        return sqlalchemy.exists().select_from(root)

    def start(self, start, stack_id, function, *args, **kwargs):
        """Start a thread. If it is the waiting thread, it ends the intent.

        :param start: Heat's own function.
        """
        request = rpc_request.current()
        if (not self.is_stored or self._is_handed_over
                or not self.is_to_wait):
            return start(stack_id, function, *args, **kwargs)

        def run(*args, **kwargs):
            with rpc_request.processing(request):
                return function(*args, **kwargs)
        thread = start(stack_id, run, *args, **kwargs)
        self._is_handed_over = True
        # This is also called for a thread that is stopped before it runs.
        thread.link(lambda ended: self._remove_entry())
        return thread

    def end(self):
        """Remove the intent, unless another thread removes it."""
        if self._root_id is not None and not self._is_handed_over:
            self._remove_entry()

    def _remove_entry(self):
        try:
            _delete_entry(self._root_id, self._entry)
        except Exception:
            LOG.exception('Cannot remove the intent to delete stack %s. The '
                          'stack cannot be protected from deletion until this '
                          'engine is restarted', self._root_id)


@contextlib.contextmanager
def intend(request):
    """Create the intent of a request, and end it at the end of the block.

    :param request: the :class:`rpc_request.Request` of this thread.
    """
    intent = DeleteIntent(request.engine.engine_id)
    request.delete_intent = intent
    try:
        yield intent
    finally:
        intent.end()


def record_update(values, is_written):
    """Record that this thread's deletion has updated a stack, or has begun.

    :param values: the values of the update.
    :param is_written: the result of the update.
    :returns: *is_written*.
    """
    intent = current_intent()
    if intent is not None and is_written:
        intent.has_written = True
        intent.has_begun |= begins_deletion(values)
    return is_written


def begins_deletion(values):
    """Return whether the UPDATE of a stack starts a deletion."""
    return (values.get('action'), values.get('status')) == (
        protection.DELETE, states.IN_PROGRESS)


def start_thread(start, stack_id, function, *args, **kwargs):
    """Start a thread with Heat's function, which can get the intent.

    Operations of the new thread are part of this thread's deletion.
    """
    intent = current_intent()
    if intent is not None:
        start = functools.partial(intent.start, start)
    return start(stack_id, function, *args, **kwargs)


def current_intent():
    """Return the :class:`DeleteIntent` of this thread, or None."""
    request = rpc_request.current()
    return None if request is None else request.delete_intent


def stored_intent():
    """Return the stored intent of a deletion that has not begun, or None."""
    intent = current_intent()
    return intent if intent is not None and intent.is_stored else None


@transactions.on_db_error
def _store_entry(context, root_id, entry):
    with transactions.start(context) as session:
        row = lock_root_row(session, root_id)
        if row is None:
            return protection.NONE
        root_protection = read_protection(session, row.id, row)
        others = row.delete_intents or ''
        # The entry exists if an earlier attempt was committed without an
        # answer.
        if not root_protection.is_set and entry not in others:
            session.execute(sqlalchemy.update(_stack)
                            .where(_stack.c.id == root_id)
                            .values(delete_intents=others + entry))
    return root_protection


def lock_root_row(session, root_id):
    """Lock the row of a root until the transaction ends.

    This uses an UPDATE, because a transaction in SQLite starts with its first
    change.

    :returns: the row, or None.
    """
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id == root_id)
                    .values(delete_intents=_stack.c.delete_intents))
    return session.execute(
        sqlalchemy.select(_stack).where(_stack.c.id == root_id)).first()


def read_protection(session, root_id, columns):
    """Return the current protection of a root from deletion.

    :param columns: an object with the columns of the root's row.
    """
    tag = next(iter(protection_tag.tags_of_stack(session, root_id)), None)
    return dataclasses.replace(
        guard_row.read_in(session, models.DELETE_PROTECTION, root_id, columns),
        tag=tag,
        tag_has_resources=protection_tag.configured_tags().get(tag, False),
        is_suspended=tag is not None and session.scalar(
            sqlalchemy.select(_stack.c.action)
            .where(_stack.c.id == root_id)) == 'SUSPEND')


# While this engine is alive, no other engine would remove it.
@connection_errors.retry_until_available
@transactions.on_db_error
def _delete_entry(root_id, entry):
    context = heat_context.RequestContext(is_admin=True, overwrite=False)
    left = sqlalchemy.func.replace(_stack.c.delete_intents, entry, '')
    with transactions.start(context) as session:
        session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id == root_id,
                   _stack.c.delete_intents.contains(entry))
            .values(delete_intents=sqlalchemy.func.nullif(left, '')))


def engines_deleting(row):
    """Return the IDs of the engines with an intent to delete a root."""
    return {each.partition('/')[0]
            for each in (row.delete_intents or '').split(';') if each}


@transactions.on_db_error
def read_engines_deleting(context, root_id):
    """Read the result of :func:`engines_deleting` from the database."""
    return {engine_id for row in guarded_stacks.run_query(
        context, sqlalchemy.select(_stack.c.delete_intents)
        .where(_stack.c.id == root_id)) for engine_id in engines_deleting(row)}


def update_criteria(values):
    """Return the criteria of a stack's UPDATE, which are empty in most cases.

    :param values: the values of the UPDATE.
    :returns: a tuple of expressions.
    """
    begins, own = begins_deletion(values), stored_intent()
    if own is None:
        return (_is_unprotected(), _is_untagged()) if begins else ()
    if own.has_written:
        # Do not check for the tag: otherwise a partly stopped operation would
        # never be continued.
        return (_is_unprotected(),) if begins else ()
    return (_is_unprotected(), own.is_in_database())


def _is_unprotected():
    return heat_models.Stack.delete_protection_id.is_(None)


def _is_untagged():
    # The legacy engine writes the start of a deletion twice (Stack.delete).
    stack = heat_models.Stack
    return protection_tag.tag_is_absent() | sqlalchemy.and_(
        stack.action == protection.DELETE, stack.status == states.IN_PROGRESS)
