# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock whole trees in the database, each in one transaction.

A lock is a fence: it invalidates all rows that were loaded before. It changes
the compare-and-swap keys of all resources and the traversals of all stacks.
It holds Heat's own StackLock. Then, with every row of the tree locked, it
checks that no operation is in progress.
"""

import dataclasses
import datetime
import weakref

from heat.common import exception
from heat.db import models
from oslo_db import exception as db_exception
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import resource_events
from heat_extras.operations import in_process
from heat_extras.operations import transactions
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock.lock_list import lock_table
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree

_stack = models.Stack.__table__

#: A changed lock keeps these fields, if the request does not have them.
KEPT = frozenset(('level', 'reason', 'expires_at'))


class TreeBusy(Exception):
    """An operation of the tree is in progress.

    :param blockers: a list of :class:`heat_extras.stack_lock.tree.Blocker`.
    """

    def __init__(self, blockers):
        super().__init__('; '.join(blocker.text for blocker in blockers))
        self.blockers = blockers


class TreeChanged(db_exception.DBDeadlock):
    """A nested stack was created or deleted. Retry the transaction."""


@dataclasses.dataclass(frozen=True)
class Request:
    """The values of a requested lock, with the user and the engine.

    :param locked_by_id: the user ID from ``heat_internals.caller``.
    :param keeps: the fields of :data:`KEPT` that an existing lock keeps.
    :param lock_id: the ID of the lock, which is new for each request.
    """

    level: str
    reason: str | None
    locked_by: str | None
    project: str | None
    rank: str
    engine_id: str
    expires_at: datetime.datetime | None = None
    locked_by_id: str | None = None
    keeps: frozenset = frozenset()
    lock_id: str = dataclasses.field(
        default_factory=uuidutils.generate_uuid)

    def level_after(self, lock):
        """Return the level after this request changes a lock."""
        is_kept = lock.is_locked and 'level' in self.keeps
        return lock.level if is_kept else self.level

    def with_kept_fields(self, session, lock):
        """Return the request with the fields that it keeps of a lock.

        The ID is the same, so that each attempt creates the same lock.
        """
        if not lock.is_locked:
            return dataclasses.replace(self, keeps=frozenset())
        kept = {'level': self.level_after(lock)}
        if 'reason' in self.keeps:
            kept['reason'] = lock.reason
        if 'expires_at' in self.keeps:
            kept['expires_at'] = lock_table.read_expiration(session, lock.id)
        return dataclasses.replace(self, **kept)


class Operation:
    """A lock or unlock in progress. Its thread has a reference to this object.

    It is registered in this process while the object exists: if the answer to
    a commit was lost, the caller assumes that the operation did not start, and
    starts no thread. A thread like heat.engine.service.ThreadWithCallback
    keeps its arguments after its end. So call *unregister* at the end.

    :ivar id: a new ID for each operation, because several operations of a
        stack can have the same engine.
    """

    def __init__(self):
        self.id = uuidutils.generate_uuid()
        # Register it before the database has the ID.
        in_process.acquire(self.id)
        self.unregister = weakref.finalize(
            self, in_process.remove_record, self.id)


@dataclasses.dataclass(frozen=True)
class TransactionResult:
    """The result of a transaction.

    :param root: the root's row before the transaction.
    :param root_events: the events of the root, the oldest first.
    :param operation: the operation in progress, if services have to be called,
        or None. The thread that continues must keep a reference to it.
    :param lock_id: the ID of the new lock, or None.
    :param previous_id: the ID of the lock that was changed, or None.
    :param level: the level of the new lock, or None.
    """

    root: object
    stack_ids: list
    root_events: list
    operation: Operation | None = None
    lock_id: str | None = None
    previous_id: str | None = None
    level: str | None = None

    @property
    def is_pending(self):
        return self.operation is not None

    @property
    def operation_id(self):
        return None if self.operation is None else self.operation.id


@transactions.commit_once
def lock_tree(session, context, root_id, request, check,
              dead_engines=frozenset()):
    """Lock a root stack and all stacks nested in it, or no stack.

    :param check: a function of the root's current :class:`lock_record.Lock`.
        If it raises an error, the transaction is rolled back.
    :param dead_engines: IDs of engines whose operations are ignored.
    :returns: a :class:`TransactionResult`.
    :raises TreeBusy: with the operations in progress.
    """
    rows = tree.fence_tree(session, root_id)
    if root_id not in rows:
        raise exception.EntityNotFound(entity='Stack', name=root_id)
    lock = lock_record.Lock.from_row(rows[root_id])
    check(lock)
    request = request.with_kept_fields(session, lock)
    expiry.check_expiration(
        session, rows[root_id], request.level, request.rank,
        request.expires_at, 'expires_at' in request.keeps)
    check_idle(session, rows, dead_engines, request.engine_id)
    operation = (
        Operation() if request.level == states.ALL
        or protection_table.has_own(session, root_id) else None)
    _write_lock(session, rows, root_id, request, operation)
    tree.release_stack_locks(session, list(rows), request.engine_id)
    if set(tree.stack_ids(session, root_id)) != set(rows):
        raise TreeChanged()
    written = events.write_start(
        session, rows[root_id], states.LOCK, events.requested_by(
            rows[root_id], request.locked_by, request.project))
    if operation is None:
        written += events.write_end(
            session, rows, root_id, states.LOCK, states.COMPLETE,
            events.completed(request.level, request.reason))
    return TransactionResult(
        rows[root_id], list(rows), written, operation, request.lock_id,
        lock.id, request.level)


def check_idle(session, rows, dead_engines, engine_id):
    """Acquire the StackLock of each stack, and check that the tree is idle.

    :raises TreeBusy: with the operations in progress.
    :raises TreeChanged: if an operation started in the meantime.
    """
    if dead_engines:
        tree.end_operations_of(session, list(rows), dead_engines)
    blockers = tree.held_stack_locks(session, rows)
    if not blockers:
        try:
            tree.hold_stack_locks(session, list(rows), engine_id)
        except db_exception.DBDuplicateEntry as error:
            # Another operation acquired a StackLock. A retry reports it.
            raise TreeChanged() from error
    blockers += tree.find_blockers(session, rows)
    if blockers:
        raise TreeBusy(blockers)


def _write_lock(session, rows, root_id, request, operation):
    pending = operation is not None
    lock_table.replace_lock(session, rows[root_id], request.lock_id,
                            request.expires_at)
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows))).values(
            current_traversal=new_traversal(),
            lock_level=request.level,
            lock_action=states.LOCK,
            lock_status=states.IN_PROGRESS if pending else states.COMPLETE,
            lock_status_reason=(events.started(states.LOCK) if pending
                                else events.LOCKED),
            lock_reason=request.reason,
            locked_by=request.locked_by,
            locked_by_id=request.locked_by_id,
            locked_by_project=request.project,
            lock_rank=request.rank,
            locked_at=timeutils.utcnow(),
            lock_id=request.lock_id,
            lock_engine_id=request.engine_id if pending else None,
            lock_operation_id=operation.id if pending else None))


def new_traversal():
    """Return an expression that changes the traversal in an UPDATE.

    Legacy stacks have no traversal, and must not get one.
    """
    return sqlalchemy.case(
        (_stack.c.convergence.is_(sqlalchemy.true()),
         uuidutils.generate_uuid()),
        else_=_stack.c.current_traversal)


@transactions.commit_once
def unlock_tree(session, context, root_id, check, engine_id=None, note=None,
                why=None, check_session=lambda session: None):
    """Unlock a root stack and all stacks nested in it.

    If resources have to be released, mark the tree as UNLOCK_IN_PROGRESS. It
    stays locked until :func:`finish_tree`.

    :param check: as in :func:`lock_tree`.
    :param engine_id: the engine that continues the unlock.
    :param note: a sentence to add to the event of a complete unlock.
    :param why: a sentence to add to the event of the start.
    :param check_session: a second check, a function of the session.
    :returns: a :class:`TransactionResult`.
    """
    rows = read_checked_tree(session, root_id, check)
    check_session(session)
    operation = (Operation() if protection_table.has_own(session, root_id)
                 else None)
    if (rows[root_id].lock_passing is not None
            and set(tree.stack_ids(session, root_id)) != set(rows)):
        # During an update with a lock pass, nested stacks can be created.
        raise TreeChanged()
    written = events.write_start(session, rows[root_id], states.UNLOCK, why)
    if operation is None:
        written += _write_unlocked(session, rows, root_id, note)
    else:
        write_unlocking(session, list(rows), engine_id, operation.id)
    return TransactionResult(rows[root_id], list(rows), written, operation)


def write_unlocking(session, ids, engine_id, operation_id):
    """Mark the stacks of a tree as UNLOCK_IN_PROGRESS."""
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
        .values(lock_action=states.UNLOCK, lock_status=states.IN_PROGRESS,
                lock_status_reason=events.started(states.UNLOCK),
                lock_engine_id=engine_id, lock_operation_id=operation_id))


def _write_unlocked(session, rows, root_id, note, is_asked=False):
    # After a lock pass, clients poll the stack's own status.
    shown = {} if rows[root_id].lock_action is None else {
        'lock_action': states.UNLOCK, 'lock_status': states.COMPLETE,
        'lock_status_reason': events.UNLOCKED}
    clear_lock_columns(session, list(rows), **shown)
    protection_table.delete_tree(session, root_id, is_asked)
    lock_table.delete_lock(session, root_id)
    ignored = ignored_signals.pop_summary(session, rows)
    reason = '. '.join(filter(None, (ignored, note))) or events.UNLOCKED
    return events.write_end(session, rows, root_id, states.UNLOCK,
                            states.COMPLETE, reason)


@transactions.commit_once
def finish_tree(session, context, root_id, action, operation_id, failure=None,
                note=None, has_events=True):
    """End a LOCK or UNLOCK that was in progress.

    :param operation_id: the ID in the :class:`TransactionResult` of its start.
    :param failure: the reason of the failure, or None if it is complete.
    :param note: a sentence to add to the event of an unlock.
    :param has_events: whether the resources of the operation have events.
    :returns: a :class:`TransactionResult`, or None if another request has
        ended the operation.
    """
    rows = tree.select_for_update(session, tree.stack_ids(session, root_id))
    root = rows.get(root_id)
    if root is None or (root.lock_action, root.lock_status,
                        root.lock_operation_id) != (
                            action, states.IN_PROGRESS, operation_id):
        return None
    if has_events:
        resource_events.fail_unfinished(session, root, failure or note,
                                        events.event_limit())
    if failure is None and action == states.UNLOCK:
        protection_table.mark_not_released(session, root_id)
        written = _write_unlocked(session, rows, root_id, note, True)
    else:
        written = _write_end(session, rows, root, action, failure)
    return TransactionResult(root, list(rows), written)


def _write_end(session, rows, root, action, failure):
    status = states.COMPLETE if failure is None else states.FAILED
    reason = failure or events.LOCKED
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values(lock_status=status, lock_status_reason=reason,
                lock_engine_id=None, lock_operation_id=None))
    if failure is None:
        reason = events.completed(root.lock_level, root.lock_reason)
    return events.write_end(session, rows, root.id, action, status, reason)


def read_checked_tree(session, root_id, check):
    """Check the lock of a root, and read the rows of its tree.

    :param check: as in :func:`lock_tree`.
    :returns: a dict from the ID of a stack to its row.
    """
    rows = tree.select_for_update(session, tree.stack_ids(session, root_id))
    if root_id not in rows:
        raise exception.EntityNotFound(entity='Stack', name=root_id)
    check(lock_record.Lock.from_row(rows[root_id]))
    return rows


def clear_lock_columns(session, ids, **values):
    """Clear all columns of the lock in the rows of stacks.

    :param values: columns to set, with their values.
    """
    cleared = dict.fromkeys((*lock_record.COLUMNS, 'lock_engine_id',
                             'lock_operation_id'))
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
                    .values({**cleared, **values}))
