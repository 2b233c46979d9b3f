# SPDX-License-Identifier: Apache-2.0

"""The deletion of a tree whose lock failed, which lifts the lock.

A delete can be refused until Heat's own UPDATE sets DELETE_IN_PROGRESS: by a
policy rule for a resource type, by a plugin, by a lost compare-and-swap. So
the lock is lifted by the transaction of that UPDATE. Before it, everything
that is going to happen is asked for, UNLOCK and DELETE, and what other
services protect is released, with the tree held as UNLOCK_IN_PROGRESS. If the
delete is rejected then, the lock is restored, and what was released stays so.
"""

import contextlib
import contextvars

from heat.common import exception
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import stack_lock as heat_stack_lock
from heat.objects import stack as stack_object
import sqlalchemy

from heat_extras import context_vars
from heat_extras.db import connection_errors
from heat_extras.db import retries
from heat_extras.db import stack_columns
from heat_extras.heat_internals import lock_callbacks
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import tag as delete_tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock.lock_list import lock_table
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree
from heat_extras.stack_lock import words

_stack = heat_models.Stack.__table__

_TRIES = 5

_engine_id = contextvars.ContextVar('heat_extras_deleting_engine',
                                    default=None)
_pending = contextvars.ContextVar('heat_extras_pending_deletion',
                                  default=None)


def mark_unlocking(context, root_id, check_lock, engine_id):
    """Take a tree whose lock failed, to lift that for a deletion.

    It is UNLOCK_IN_PROGRESS until :func:`unlock_rows` or :func:`restore_lock`,
    and nobody is told of it by then.

    :param check_lock: as *check* of :func:`lock_transaction.lock_tree`.
    :returns: a :class:`lock_transaction.TransactionResult`.
    """
    operation = lock_transaction.Operation()
    # What each attempt came to, before its commit.
    outcomes = []

    @retries.on_db_error
    def attempt(context):
        with lock_transaction.transaction(context) as session:
            # One may be done without an answer; it has written no event.
            if outcomes and _is_taken(session, root_id, operation.id):
                return outcomes[-1]
            rows = lock_transaction.checked_tree(session, root_id, check_lock)
            lock_transaction.write_unlocking(session, list(rows), engine_id,
                                             operation.id)
            outcomes.append(lock_transaction.TransactionResult(rows[root_id],
                                                               list(rows), [],
                                                               operation))
        return outcomes[-1]
    return attempt(context)


def _is_taken(session, root_id, operation_id):
    # With its row, which an attempt that is about to end may still hold.
    rows = tree.select_for_update(session, [root_id])
    return root_id in rows and (
        rows[root_id].lock_operation_id == operation_id)


# This engine is alive, so no other one would ever end what it has begun.
@connection_errors.wait_out
@retries.on_db_error
def restore_lock(context, claimed):
    """Make the lock of a claimed tree what it was; not one taken away since.

    :param claimed: the outcome of :func:`mark_unlocking`.
    """
    was = claimed.root
    with lock_transaction.transaction(context) as session:
        session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_(claimed.stack_ids),
                   _stack.c.lock_status == states.IN_PROGRESS,
                   _stack.c.lock_operation_id == claimed.operation_id)
            .values(lock_action=was.lock_action, lock_status=was.lock_status,
                    lock_status_reason=was.lock_status_reason,
                    lock_engine_id=None, lock_operation_id=None))


def unlock_rows(session, claimed):
    """Lift the lock of a claimed tree, in the transaction that begins DELETE.

    :param claimed: the outcome of :func:`mark_unlocking`.
    """
    rows = tree.select_for_update(session, claimed.stack_ids)
    root = claimed.root
    lock_transaction.clear_lock_columns(session, list(rows))
    protection_table.delete_tree(session, root.id)
    lock_table.delete(session, root.id)
    ignored = ignored_signals.take_summary(session, rows)
    events.write_start(session, root, states.UNLOCK)
    events.write_end(session, rows, root.id, states.UNLOCK, states.COMPLETE,
                     ignored or words.UNLOCKED)


class _Missed(Exception):
    """Heat's UPDATE met no row."""


class PendingDelete:
    """A deletion that is about to begin.

    :param stack: a heat.engine.stack.Stack.
    :param claimed: the outcome of :func:`mark_unlocking`.
    :ivar has_begun: whether it has, and the lock is lifted by that.
    """

    def __init__(self, stack, claimed):
        self.stack_id = stack.id
        self.claimed = claimed
        self.own = operation_token.Token(stack.context, stack.id,
                                         claimed.operation_id)
        self.has_begun = False

    def under_way(self):
        """Let this thread's write of DELETE_IN_PROGRESS lift the lock."""
        return context_vars.override(_pending, self)

    def _is_protected(self, session):
        # unlock_rows has locked the rows of the tree by now.
        return (delete_tag.tag_of_stack(session, self.stack_id) is not None
                or session.scalar(
                    sqlalchemy.select(_stack.c.delete_protection_id)
                    .where(_stack.c.id == self.stack_id)) is not None)

    def write(self, context, original, stack_id, values, exp_trvsl):
        """Write as Heat's stack_update, and lift the lock with it.

        :returns: False, and has written nothing, when it met no row, or the
            tree was taken away.
        """
        try:
            with db_api.context_manager.writer.using(context) as session:
                self.own.hold(session)
                unlock_rows(session, self.claimed)
                if self._is_protected(session) or not retries.within(
                        original)(context, stack_id, values,
                                  exp_trvsl=exp_trvsl):
                    raise _Missed()
        except (operation_token.Superseded, _Missed):
            return False
        self.has_begun = True
        return True


def deleting_engine(engine_id):
    """Remember which engine deletes for the caller of this thread."""
    return context_vars.override(_engine_id, engine_id)


def wrapped_stack_update(stack_id, values):
    """Return how to write what begins a deletion and lifts a lock, if so.

    :param values: of Heat's UPDATE of a row of the stack table.
    :returns: a function like Heat's stack_update, which takes that, too; or
        None for all other writes.
    """
    found = _pending.get()
    if (found is None or found.has_begun or found.stack_id != stack_id
            or values.get('status') != states.IN_PROGRESS):
        return None
    return found.write


def check_deletion(context, stack):
    """Refuse the deletion of a locked tree early, if it is to be refused.

    :param stack: a heat.objects.stack.Stack, whose lock failed.
    :raises StackLocked: for a nested stack.
    :raises StackLockForbidden: when the lock has a higher rank.
    :raises StackLockConflict: when an engine has its StackLock. Heat would
        stop what that engine does, before the deletion can be refused.
    """
    lock = lock_record.Lock.from_row(stack_columns.columns(stack))
    if stack.owner_id is not None:
        check.refuse(context, stack.name, stack.id, lock, states.DELETE)
    override_policy.check(context, stack, lock)
    if not stack.convergence:
        _check_stack_lock(context, stack)


def _check_stack_lock(context, stack):
    held = heat_stack_lock.StackLock(context, stack.id, _engine_id.get())
    engine_id = held.get_engine_id()
    if engine_id is None:
        return
    if service_utils.engine_alive(context, engine_id):
        raise errors.StackLockConflict(
            message=words.at_work(words.named(stack), engine_id))
    db_api.stack_lock_release(context, stack.id, engine_id)


def is_wanted(stack, operation):
    """Return whether a lock is to be lifted for an operation.

    :param stack: a heat.engine.stack.Stack.
    """
    return operation == states.DELETE and lock_record.of(stack).is_in_effect


@contextlib.contextmanager
def unlock_with_delete(stack):
    """Lift a failed lock with the UPDATE inside that begins the deletion.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    :raises StackLockConflict: when a plugin denies it, a resource cannot be
        released, or the tree was changed meanwhile.
    """
    row = stack_object.Stack.get_by_id(stack.context, stack.id,
                                       eager_load=False)
    with (lock_request.ask_callbacks(stack.context, row,
                                     states.UNLOCK) as end_unlock,
          lock_request.ask_callbacks(stack.context, stack,
                                     lock_callbacks.DELETE) as end_delete,
          _claimed(stack) as found):
        try:
            yield
        finally:
            if found.has_begun:
                stack.heat_extras_lock = lock_record.UNLOCKED
                end_unlock(False)
                end_delete(False)


def begin(stack):
    """Begin the deletion of a legacy stack in :func:`unlock_with_delete`."""
    return stack_object.Stack.update_by_id(stack.context, stack.id, {
        'action': stack.DELETE, 'status': stack.IN_PROGRESS,
        'status_reason': words.started(stack.DELETE)})


def begin_unlocked(stack, operation):
    """Begin the deletion of a legacy stack, if it is neither of the two.

    Heat's thread drops the answer of its own UPDATE, and goes on.

    :raises StackLocked:
    :raises StackProtected:
    :raises ActionInProgress: when something stands in the way each time and
        is gone when it is looked for.
    """
    for _ in range(_TRIES):
        if begin(stack):
            return
        check.check_again(stack.context, stack.id, operation)
    raise exception.ActionInProgress(stack_name=stack.name,
                                     action=stack.action)


@contextlib.contextmanager
def _claimed(stack):
    found = PendingDelete(stack, mark_unlocking(
        stack.context, stack.id, _checker(stack), _engine_id.get()))
    try:
        _check_released(stack, lock_resources.release(found.own))
        with found.under_way():
            yield found
        if not found.has_begun:
            raise _changed(stack)
    except operation_token.Superseded as error:
        raise _changed(stack) from error
    finally:
        try:
            if not found.has_begun:
                restore_lock(stack.context, found.claimed)
        finally:
            found.claimed.operation.leave()


def _changed(stack):
    return errors.StackLockConflict(message=words.changed(words.named(stack)))


def _checker(stack):
    def check(lock):
        # Called inside a transaction: nothing more may be asked there.
        override_policy.check(stack.context, stack, lock)
        if not lock.is_locked or lock.refuses(states.DELETE):
            raise errors.StackLocked(
                stack_id=stack.id, message=lock.describe(
                    stack.name, stack.id, stack.context.project_id)
                if lock.is_locked else words.lifted(words.named(stack)))
    return check


def _check_released(stack, report):
    failed = report.failed()
    if failed:
        raise errors.StackLockConflict(
            message=words.not_released(stack, failed))
