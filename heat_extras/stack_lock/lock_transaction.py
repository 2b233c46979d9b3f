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
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import models as extras_models
from heat_extras.db import resource_events
from heat_extras.db import transactions
from heat_extras import left_operations
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import messages
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree_rows

_stack = models.Stack.__table__

#: A changed lock keeps these fields, if the request does not have them.
KEPT = frozenset(('level', 'reason', 'expires_at'))


class TreeBusy(Exception):
    """An operation of the tree is in progress.

    :param blockers: a list of
        :class:`heat_extras.stack_lock.tree_rows.Blocker`.
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

    def with_kept_fields(self, lock):
        """Return the request with the fields that it keeps of a lock.

        The ID is the same, so that each attempt creates the same lock.
        """
        if not lock.is_locked:
            return dataclasses.replace(self, keeps=frozenset())
        kept = {'level': self.level_after(lock)}
        if 'reason' in self.keeps:
            kept['reason'] = lock.reason
        if 'expires_at' in self.keeps:
            kept['expires_at'] = lock.expires_at
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
        left_operations.acquire(self.id)
        self.unregister = weakref.finalize(
            self, left_operations.remove_record, self.id)


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
    rows = tree_rows.fence_tree(session, root_id)
    if root_id not in rows:
        raise exception.EntityNotFound(entity='Stack', name=root_id)
    lock = _read_lock(session, rows[root_id])
    check(lock)
    request = request.with_kept_fields(lock)
    expiry.check_expiration(
        session, rows[root_id], request.level, request.rank,
        request.expires_at, 'expires_at' in request.keeps)
    check_idle(session, rows, dead_engines, request.engine_id)
    operation = (
        Operation() if request.level == states.ALL
        or lock.is_locked and _has_own(resource_table.read_states(
            session, root_id)) else None)
    _write_lock(session, rows, root_id, request, operation)
    tree_rows.release_stack_locks(session, list(rows), request.engine_id)
    if set(tree_rows.stack_ids(session, root_id)) != set(rows):
        raise TreeChanged()
    why = events.requested_by(rows[root_id], request.locked_by,
                              request.project)
    if operation is None:
        written = events.write_end(
            session, rows, root_id, states.LOCK, states.COMPLETE,
            events.completed(request.level, request.reason),
            [events.start_event(rows[root_id], states.LOCK, why)])
    else:
        written = events.write_start(session, rows[root_id], states.LOCK, why)
    return TransactionResult(
        rows[root_id], list(rows), written, operation, request.lock_id,
        lock.id, request.level)


def check_idle(session, rows, dead_engines, engine_id):
    """Acquire the StackLock of each stack, and check that the tree is idle.

    :raises TreeBusy: with the operations in progress.
    :raises TreeChanged: if an operation started in the meantime.
    """
    if dead_engines:
        tree_rows.end_operations_of(session, list(rows), dead_engines)
    blockers = tree_rows.held_stack_locks(session, rows)
    if not blockers:
        try:
            tree_rows.hold_stack_locks(session, list(rows), engine_id)
        except db_exception.DBDuplicateEntry as error:
            # Another operation acquired a StackLock. A retry reports it.
            raise TreeChanged() from error
    blockers += tree_rows.find_blockers(session, rows)
    if blockers:
        raise TreeBusy(blockers)


def _write_lock(session, rows, root_id, request, operation):
    pending = operation is not None
    if rows[root_id].lock_id is not None:
        guard_row.delete(session, root_id, extras_models.LOCK)
    guard_row.insert(
        session, rows[root_id], extras_models.LOCK, id=request.lock_id,
        level=request.level, action=states.LOCK,
        status=states.IN_PROGRESS if pending else states.COMPLETE,
        status_reason=(events.started(states.LOCK) if pending
                       else events.LOCKED),
        reason=request.reason, set_by=request.locked_by,
        set_by_id=request.locked_by_id, set_by_project=request.project,
        rank=request.rank, set_at=timeutils.utcnow(),
        engine_id=request.engine_id if pending else None,
        operation_id=operation.id if pending else None,
        expires_at=request.expires_at, unlock_at=request.expires_at,
        unlock_attempts=0)
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows))).values(
            current_traversal=new_traversal(), lock_level=request.level,
            lock_id=request.lock_id))


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
    rows, lock = read_checked_tree(session, root_id, check)
    check_session(session)
    of_resources = resource_table.read_states(session, root_id)
    operation = Operation() if _has_own(of_resources) else None
    if (lock.is_passing
            and set(tree_rows.stack_ids(session, root_id)) != set(rows)):
        # During an update with a lock pass, nested stacks can be created.
        raise TreeChanged()
    if operation is None:
        if of_resources:
            resource_table.delete_tree(session, root_id)
        written = _write_unlocked(
            session, rows, root_id, lock, note,
            [events.start_event(rows[root_id], states.UNLOCK, why)])
    else:
        written = events.write_start(session, rows[root_id], states.UNLOCK,
                                     why)
        guard_row.update(
            session, lock.id, action=states.UNLOCK, status=states.IN_PROGRESS,
            status_reason=events.started(states.UNLOCK), engine_id=engine_id,
            operation_id=operation.id)
    return TransactionResult(rows[root_id], list(rows), written, operation)


def _has_own(of_resources):
    # An unlock has resources to release.
    return not of_resources.isdisjoint(resource_states.OWN)


def _write_unlocked(session, rows, root_id, lock, note, earlier=()):
    # After a lock pass, clients poll the stack's own status.
    is_shown = lock.covers(cfg.CONF.heat_extras.status_overlay)
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values(lock_level=None, lock_passing=None,
                lock_id=lock.id if is_shown else None))
    guard_row.delete(session, root_id, extras_models.LOCK)
    ignored = ignored_signals.pop_summary(session, rows)
    reason = '. '.join(filter(None, (ignored, note))) or messages.UNLOCKED
    return events.write_end(session, rows, root_id, states.UNLOCK,
                            states.COMPLETE, reason, earlier)


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
    rows = tree_rows.select_for_update(
        session, tree_rows.stack_ids(session, root_id))
    root = rows.get(root_id)
    lock = (lock_record.UNLOCKED if root is None
            else _read_lock(session, root))
    if (lock.action, lock.status, lock.operation_id) != (
            action, states.IN_PROGRESS, operation_id):
        return None
    if has_events:
        resource_events.fail_unfinished(
            session, root_id, lock.is_protecting, failure or note,
            events.event_limit())
    if failure is None and action == states.UNLOCK:
        resource_table.mark_not_released(session, root_id)
        resource_table.delete_tree(session, root_id, is_shown=True)
        written = _write_unlocked(session, rows, root_id, lock, note)
    else:
        written = _write_end(session, rows, root, lock, failure)
    return TransactionResult(root, list(rows), written)


def _write_end(session, rows, root, lock, failure):
    status = states.COMPLETE if failure is None else states.FAILED
    reason = failure or events.LOCKED
    guard_row.update(session, lock.id, status=status, status_reason=reason,
                     engine_id=None, operation_id=None)
    if failure is None:
        reason = events.completed(lock.level, lock.reason)
    return events.write_end(session, rows, root.id, lock.action, status,
                            reason)


def read_checked_tree(session, root_id, check):
    """Check the lock of a root, and read the rows of its tree.

    :param check: as in :func:`lock_tree`.
    :returns: a dict from the ID of a stack to its row, and the lock.
    """
    rows = tree_rows.select_for_update(
        session, tree_rows.stack_ids(session, root_id))
    if root_id not in rows:
        raise exception.EntityNotFound(entity='Stack', name=root_id)
    lock = _read_lock(session, rows[root_id])
    check(lock)
    return rows, lock


def _read_lock(session, row):
    return guard_row.read_in(session, extras_models.LOCK, row.id, row)
