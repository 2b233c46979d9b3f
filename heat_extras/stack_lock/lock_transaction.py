# SPDX-License-Identifier: Apache-2.0

"""The lock in the database: whole trees, in one transaction each.

Locking is a fence. It does not ask others to look before
they write; it invalidates everything that was loaded before it: the
compare-and-swap keys of all resources and the traversals of all stacks
change, and Heat's own StackLock is held meanwhile. Only then, with every
row of the tree locked, it checks that nothing runs.
"""

import contextlib
import dataclasses
import datetime
import uuid
import weakref

from heat.common import exception
from heat.db import api as db_api
from heat.db import models
from oslo_db import exception as db_exception
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import resource_events
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock.lock_list import lock_table
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import messages
from heat_extras.stack_lock.resource_locks import events as protection_events
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree

_stack = models.Stack.__table__

#: The fields of a lock that stay, if a request that changes it names others.
KEPT = frozenset(('level', 'reason', 'expires_at'))

# SQLite has one writer at a time anyway.
_READ_COMMITTED = ('mysql', 'mariadb', 'postgresql')


class TreeBusy(Exception):
    """The tree is not at rest.

    :param blockers: a list of :class:`heat_extras.stack_lock.tree.Blocker`.
    """

    def __init__(self, blockers):
        super().__init__('; '.join(blocker.text for blocker in blockers))
        self.blockers = blockers


class TreeChanged(db_exception.DBDeadlock):
    """A nested stack came or went meanwhile: the transaction starts anew."""


@dataclasses.dataclass(frozen=True)
class Request:
    """Who wants which lock, and why.

    :param locked_by_id: the user, as ``heat_internals.caller`` names it.
    :param keeps: which of :data:`KEPT` stay as a lock that is there has them.
    :param lock_id: the id that it gets, another one for each request.
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
        """Return the level of the lock that this makes of another one."""
        is_kept = lock.is_locked and 'level' in self.keeps
        return lock.level if is_kept else self.level

    def completed(self, session, lock):
        """Return the request with what it keeps of a lock.

        With the same ID: each attempt makes the same lock.
        """
        if not lock.is_locked:
            return dataclasses.replace(self, keeps=frozenset())
        kept = {'level': self.level_after(lock)}
        if 'reason' in self.keeps:
            kept['reason'] = lock.reason
        if 'expires_at' in self.keeps:
            kept['expires_at'] = lock_table.expires_at(session, lock.id)
        return dataclasses.replace(self, **kept)


# The operations in progress that this process works on.
_in_process: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class Operation:
    """A lock or unlock in progress; its thread refers to this.

    The database records which engine has it. When that engine lives, and none
    of its threads works on it, no other engine ends it: the answer to a commit
    can be lost, so that the caller reads that nothing was begun, and the end
    can meet a database that is unavailable.

    A reference is not enough where the arguments of a thread are kept, as in
    heat.engine.service.ThreadWithCallback: so :meth:`leave` is called at the
    end.

    :ivar id: another one each time: the same engine can have begun the one
        before.
    """

    def __init__(self):
        self.id = str(uuid.uuid4())
        # Before the database knows of it.
        _in_process[self.id] = self

    def leave(self):
        """Do not work on it any more, whether or not its end was written."""
        _in_process.pop(self.id, None)


def is_in_process(operation_id):
    """Return whether this process works on an operation."""
    return operation_id in _in_process


@dataclasses.dataclass(frozen=True)
class TransactionResult:
    """What a transaction did: the root's row as it was before, its events.

    :param root_events: those of the root, oldest first.
    :param operation: what is in progress now, since resources have to be
        asked before it is done; None when it is done. Who goes on with it
        keeps this as long.
    :param lock_id: of the lock that was written, if one was.
    :param previous_id: of the lock that this has changed, if there was one.
    :param level: of the lock that was written.
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


@contextlib.contextmanager
def transaction(context):
    """Begin a transaction of its own, whatever the caller is in.

    READ COMMITTED, because the checks must see what others committed while
    this one waited for their rows.
    """
    with db_api.context_manager.writer.independent.using(context) as session:
        if session.get_bind().dialect.name in _READ_COMMITTED:
            session.connection(execution_options={
                'isolation_level': 'READ COMMITTED'})
        yield session


@commit_retry.committed_once
def lock_tree(context, root_id, request, check, dead_engines=frozenset()):
    """Lock a root stack and everything nested in it, or nothing.

    :param check: called with the root's current :class:`lock_record.Lock`;
        what it raises ends the transaction without a trace.
    :param dead_engines: ids of engines whose left-overs do not count.
    :returns: a :class:`TransactionResult`.
    :raises TreeBusy: naming what is still running.
    """
    with transaction(context) as session:
        rows = tree.fence_tree(session, root_id)
        if root_id not in rows:
            raise exception.EntityNotFound(entity='Stack', name=root_id)
        lock = lock_record.Lock.from_row(rows[root_id])
        check(lock)
        request = request.completed(session, lock)
        expiry.check(session, rows[root_id], request.level, request.rank,
                     request.expires_at, 'expires_at' in request.keeps)
        check_at_rest(session, rows, dead_engines, request.engine_id)
        operation = (
            Operation() if request.level == states.ALL
            or protection_table.has_own(session, root_id) else None)
        _write_lock(session, rows, root_id, request, operation)
        tree.release_stack_locks(session, list(rows), request.engine_id)
        if set(tree.stack_ids(session, root_id)) != set(rows):
            raise TreeChanged()
        written = events.write_start(
            session, rows[root_id], states.LOCK, events.requester(
                rows[root_id], request.locked_by, request.project))
        if operation is None:
            written += events.write_end(session, rows, root_id, states.LOCK,
                                        states.COMPLETE,
                                        messages.completed(
                                            request.level, request.reason))
        return commit_retry.record_outcome(TransactionResult(
            rows[root_id], list(rows), written, operation, request.lock_id,
            lock.id, request.level))


def check_at_rest(session, rows, dead_engines, engine_id):
    """Hold the StackLock of each stack of a tree, and see that nothing runs.

    :raises TreeBusy: naming what does.
    :raises TreeChanged: when something came meanwhile.
    """
    if dead_engines:
        tree.delete_stack_locks_of(session, list(rows), dead_engines)
    blockers = tree.held_stack_locks(session, rows)
    if not blockers:
        try:
            tree.hold_stack_locks(session, list(rows), engine_id)
        except db_exception.DBDuplicateEntry as error:
            # Taken between the two statements: look again, name it.
            raise TreeChanged() from error
    blockers += tree.find_blockers(session, rows)
    counting = [blocker for blocker in blockers
                if blocker.engine_id not in dead_engines]
    if counting:
        raise TreeBusy(counting)


def _write_lock(session, rows, root_id, request, operation):
    pending = operation is not None
    lock_table.insert(session, rows[root_id], request.lock_id,
                      request.expires_at)
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows))).values(
            current_traversal=new_traversal(),
            lock_level=request.level,
            lock_action=states.LOCK,
            lock_status=states.IN_PROGRESS if pending else states.COMPLETE,
            lock_status_reason=(messages.started(states.LOCK) if pending
                                else messages.LOCKED),
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
    """Return what stops who has loaded a stack before; for an UPDATE.

    Legacy stacks have no traversal, and must not get one.
    """
    return sqlalchemy.case(
        (_stack.c.convergence.is_(sqlalchemy.true()),
         uuidutils.generate_uuid()),
        else_=_stack.c.current_traversal)


@commit_retry.committed_once
def unlock_tree(context, root_id, check, engine_id=None, note=None, why=None,
                hold=lambda session: None):
    """Unlock a root stack and everything nested in it.

    Where resources have to be released first, the tree is only marked as
    UNLOCK_IN_PROGRESS, and stays locked until :func:`finish_tree`.

    :param check: as in :func:`lock_tree`.
    :param engine_id: the engine that goes on with it then.
    :param note: added to the event of an unlock that is complete at once.
    :param why: added to the event of its start.
    :param hold: called with the session; what it raises, as of *check*.
    :returns: a :class:`TransactionResult`.
    """
    with transaction(context) as session:
        rows = checked_tree(session, root_id, check)
        hold(session)
        operation = (Operation() if protection_table.has_own(session, root_id)
                     else None)
        if (rows[root_id].lock_passing is not None
                and set(tree.stack_ids(session, root_id)) != set(rows)):
            # While a pass is used, stacks come below a lock.
            raise TreeChanged()
        written = events.write_start(session, rows[root_id], states.UNLOCK,
                                     why)
        if operation is None:
            written += _write_unlocked(session, rows, root_id, note)
        else:
            write_unlocking(session, list(rows), engine_id, operation.id)
        return commit_retry.record_outcome(TransactionResult(
            rows[root_id], list(rows), written, operation))


def write_unlocking(session, ids, engine_id, operation_id):
    """Mark the stacks of a tree as UNLOCK_IN_PROGRESS."""
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
        .values(lock_action=states.UNLOCK, lock_status=states.IN_PROGRESS,
                lock_status_reason=messages.started(states.UNLOCK),
                lock_engine_id=engine_id, lock_operation_id=operation_id))


def _write_unlocked(session, rows, root_id, note, is_asked=False):
    # What had a pass is for clients that poll the stack's own status.
    shown = {} if rows[root_id].lock_action is None else {
        'lock_action': states.UNLOCK, 'lock_status': states.COMPLETE,
        'lock_status_reason': messages.UNLOCKED}
    clear_lock_columns(session, list(rows), **shown)
    protection_table.delete_tree(session, root_id, is_asked)
    lock_table.delete(session, root_id)
    ignored = ignored_signals.pop_summary(session, rows)
    reason = '. '.join(filter(None, (ignored, note))) or messages.UNLOCKED
    return events.write_end(session, rows, root_id, states.UNLOCK,
                            states.COMPLETE, reason)


@commit_retry.committed_once
def finish_tree(context, root_id, action, operation_id, failure=None,
                note=None, has_events=True):
    """End a LOCK or UNLOCK that was in progress.

    :param operation_id: as in the :class:`TransactionResult` of its begin.
    :param failure: why it failed, or None when it is complete.
    :param note: what an unlock reports besides; *has_events*: its resources.
    :returns: a :class:`TransactionResult`, or None when it is not in progress
        any more: it was taken away.
    """
    with transaction(context) as session:
        rows = tree.select_for_update(session, tree.stack_ids(session,
                                                              root_id))
        root = rows.get(root_id)
        if root is None or (root.lock_action, root.lock_status,
                            root.lock_operation_id) != (
                                action, states.IN_PROGRESS, operation_id):
            return None
        if has_events:
            resource_events.fail_unfinished(session, root, failure or note,
                                            protection_events.event_limit())
        if failure is None and action == states.UNLOCK:
            protection_table.mark_not_released(session, root_id)
            written = _write_unlocked(session, rows, root_id, note, True)
        else:
            written = _write_end(session, rows, root, action, failure)
        return commit_retry.record_outcome(
            TransactionResult(root, list(rows), written))


def _write_end(session, rows, root, action, failure):
    status = states.COMPLETE if failure is None else states.FAILED
    reason = failure or messages.LOCKED
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values(lock_status=status, lock_status_reason=reason,
                lock_engine_id=None, lock_operation_id=None))
    if failure is None:
        reason = messages.completed(root.lock_level, root.lock_reason)
    return events.write_end(session, rows, root.id, action, status, reason)


def checked_tree(session, root_id, check):
    """Read the rows of a tree, if the lock of its root is as it should be.

    :param check: as in :func:`lock_tree`.
    :returns: a dict from the id of a stack to its row.
    """
    rows = tree.select_for_update(session, tree.stack_ids(session, root_id))
    if root_id not in rows:
        raise exception.EntityNotFound(entity='Stack', name=root_id)
    check(lock_record.Lock.from_row(rows[root_id]))
    return rows


def clear_lock_columns(session, ids, **shown):
    """Take everything about a lock off stacks.

    :param shown: columns that stay, with their values.
    """
    nothing = dict.fromkeys((*lock_record.COLUMNS, 'lock_engine_id',
                             'lock_operation_id'))
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
                    .values({**nothing, **shown}))
