# SPDX-License-Identifier: Apache-2.0

"""Use a lock pass for one update, and lock the tree again after the update.

If an update finds its stack locked, the caller is compared with the user of
the pass. A validation error does not consume the pass. Heat's first UPDATE of
the root, which sets UPDATE_IN_PROGRESS, consumes it. In the same transaction,
the level of the lock moves to ``lock_passing`` in the whole tree. So the tree
is unlocked for Heat's writers, and locked for the checks. The legacy engine
writes this UPDATE in a thread, so there the pass is consumed when the
StackLock is acquired.

The tree is locked again as soon as it is idle, with the same check and the
same fence as any lock. So operations that loaded the stack before cannot
continue. The engine that ends the update checks the tree, and so does each
engine at its report. The lock or the pass can expire before, without an
effect. No plugin is called.
"""

import dataclasses

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import tree_rows

_lock = models.guard_table
_stack = heat_models.Stack.__table__


class _Lost(Exception):
    """The pass is no longer valid, or Heat's UPDATE changed no row."""


@dataclasses.dataclass
class PassUse:
    """The use of a lock pass by one update of a caller.

    :param context: the context of the caller's request.
    :param stack_id: the ID of the root with the pass.
    :ivar is_consumed: whether the pass is consumed.
    :ivar is_refused: whether the pass was only consumed to record that the
        update failed.
    """

    context: heat_context.RequestContext
    stack_id: str
    lock_id: str
    is_consumed: bool = False
    is_refused: bool = False

    def is_valid(self):
        """Return whether the pass can still be used."""
        lock = guard_row.read_lock(self.context, self.stack_id)[1]
        return (lock.id == self.lock_id
                and _may_use(lock.pass_row, self.context))

    def update_stack(self, context, original, stack_id, values, exp_trvsl):
        """Call Heat's stack_update, and consume the pass with it.

        :returns: False, without a change of the database, if it changed no
            row, or if the pass is no longer valid.
        """
        try:
            with db_api.context_manager.writer.using(context) as session:
                self._consume(session)
                if not transactions.without_retry(original)(
                        context, stack_id, values, exp_trvsl=exp_trvsl):
                    raise _Lost()
        except _Lost:
            return False
        self.is_consumed = True
        return True

    def consume(self):
        """Consume the pass without a write of Heat.

        :returns: False if the pass is no longer valid.
        """
        @transactions.on_db_error
        def attempt(context):
            with transactions.start(context) as session:
                self._consume(session)
        try:
            attempt(self.context)
        except _Lost:
            return False
        self.is_consumed = True
        return True

    def _consume(self, session):
        rows = tree_rows.select_for_update(
            session, tree_rows.stack_ids(session, self.stack_id))
        root = rows.get(self.stack_id)
        lock = (lock_record.UNLOCKED if root is None
                else guard_row.read_in(session, models.LOCK, root.id, root))
        row = guard_row.lock_valid_pass(session, self.lock_id)
        if lock.id != self.lock_id or not (
                lock.can_have_pass and _may_use(row, self.context)):
            raise _Lost()
        _move_level(session, rows, lock, row)
        counter_writes.increment(session, root.id, counters.PASS,
                                 counters.USED)
        user_name = lock_record.pass_user_for(root.tenant, row)
        by_user = '' if user_name is None else f' by {user_name}'
        events.write_completed(session, root,
                               f'An update{by_user} has started with the lock '
                               'pass',
                               is_within=True)


def _move_level(session, rows, lock, row):
    # Check that both rows are unchanged, because in SQLite a transaction
    # starts with the first change.
    changed = session.execute(
        sqlalchemy.update(_stack)
        .where(_stack.c.id.in_(list(rows)), _stack.c.lock_id == lock.id,
               _stack.c.lock_level == lock.level)
        .values(lock_level=None, lock_passing=lock.level)).rowcount
    used = session.execute(
        sqlalchemy.update(_lock)
        .where(_lock.c.id == lock.id, _lock.c.pass_used_at.is_(None),
               _lock.c.pass_granted_at == row.pass_granted_at,
               _lock.c.pass_expires_at > db_time.now())
        .values(pass_used_at=db_time.read_time(session))).rowcount
    if changed != len(rows) or not used:
        raise _Lost()


def _is_user(row, context):
    return row is not None and (
        lock_record.PassUser.from_row(row).is_caller(context))


def _may_use(row, context):
    return _is_user(row, context) and row.pass_used_at is None


def may_pass(stack, lock, operation):
    """Return whether this thread's update has a pass for a locked stack.

    :param stack: a heat.objects.stack.Stack.
    :param lock: the :class:`lock_record.Lock` in effect.
    """
    request = rpc_request.current()
    if (request is None or operation != operations.UPDATE
            or stack.owner_id is not None or not lock.can_have_pass
            or not _may_use(lock.pass_row, request.context)):
        return False
    request.pass_use = PassUse(request.context, stack.id, lock.id)
    return True


def pending_use(stack_id):
    """Return the pass that this thread's next write to a stack consumes.

    :returns: a :class:`PassUse`, or None.
    """
    request = rpc_request.current()
    use = None if request is None else request.pass_use
    return (use if use is not None and use.stack_id == stack_id
            and not use.is_consumed else None)


def is_valid(stack_id):
    """Return whether this thread has a pass that is still valid.

    Heat sends the event of a rejected update before the write that consumes
    the pass, so check the pass again.
    """
    use = pending_use(stack_id)
    return use is not None and use.is_valid()


def consume(stack):
    """Consume the pass of this thread for a stack.

    :param stack: a heat.engine.stack.Stack.
    :returns: whether there was a valid pass.
    """
    use = pending_use(stack.id)
    if use is None or not use.consume():
        return False
    mark_passing(stack)
    return True


def mark_refused(stack):
    """Record that the first write of an update sets it to failed.

    This write consumes the pass. If an earlier transaction consumed it, the
    tree would be idle in between, and any engine could lock it again.
    """
    use = pending_use(stack.id)
    if use is not None and stack.status == stack.FAILED:
        use.is_refused = True


def mark_passing(stack):
    """Mark a heat.engine.stack.Stack whose pass is consumed.

    Call this before other threads get the stack, because they check it at
    their end.
    """
    request = rpc_request.current()
    use = None if request is None else request.pass_use
    if use is not None and use.is_consumed and use.stack_id == stack.id:
        object_data.of_stack(stack).lock = dataclasses.replace(
            lock_record.lock_of(stack), is_passing=True)


def is_allowed_meanwhile(context, lock, operation):
    """Return whether an operation is allowed during an update with a pass.

    :param context: the context of the operation. The context of this thread's
        caller has precedence, because Heat often continues with a context of
        the stack's owner.
    :param lock: the :class:`lock_record.Lock` of the stack.
    """
    if not lock.is_passing:
        return False
    verdict = lock.verdict(operation)
    request = rpc_request.current()
    if request is not None:
        context = request.context
    if verdict in operations.FOR_SOME and caller.is_parent_call(context):
        return True
    return verdict == operations.BY_HOLDER and (
        override_policy.may_remove(context, lock)
        or _is_user(lock.pass_row, context))


LOG = logging.getLogger(__name__)


class _Unlocked(Exception):
    """No update with a pass is in progress in the tree."""


def relock_due(sweep):
    """Lock all trees again whose update with a pass has ended.

    If there is no such tree, it only reads the lock table.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    with db_api.context_manager.reader.independent.using(
            sweep.context) as session:
        root_ids = session.scalars(
            sqlalchemy.select(_lock.c.stack_id)
            .join(_stack, sqlalchemy.and_(*models.lock_row_conditions(_stack)))
            .where(_lock.c.pass_used_at.is_not(None),
                   _stack.c.lock_passing.is_not(None),
                   _stack.c.deleted_at.is_(None))).all()
    for root_id in root_ids:
        relock_if_idle(sweep.context, root_id)


def relock_after(stack):
    """Lock a tree again when an operation of its root has ended.

    :param stack: the loaded heat.engine.stack.Stack.
    """
    if _is_passing_root(stack):
        relock_if_idle(
            heat_context.RequestContext(is_admin=True, overwrite=False),
            stack.id)


def relock_after_thread(thread, stack):
    """Lock a tree again when a thread of the legacy engine has ended."""
    if _is_passing_root(stack):
        thread.link(lambda ended: relock_after(stack))
    return thread


def _is_passing_root(stack):
    return lock_record.lock_of(stack).is_passing and stack.owner_id is None


def relock_if_idle(context, root_id):
    """Lock a tree again, unless an operation is in progress in it.

    If the database is unavailable, the next report checks again.

    :returns: whether this call has locked it again.
    """
    try:
        blockers = _find_blockers(context, root_id)
        dead = heartbeat.find_down(
            context, {blocker.engine_id for blocker in blockers})
        if any(blocker.engine_id not in dead for blocker in blockers):
            return False
        return _relock(context, root_id, dead)
    except _Unlocked:
        LOG.debug('Stack %s was unlocked in the meantime', root_id)
    except lock_transaction.TreeBusy as busy:
        LOG.debug('The lock pass of stack %(id)s is still in use: %(busy)s',
                  {'id': root_id, 'busy': busy})
    except Exception:
        LOG.exception('Stack %s could not be locked again after the update '
                      'with its lock pass. The engine tries again within '
                      '[DEFAULT] periodic_interval', root_id)
    return False


def _find_blockers(context, root_id):
    # Check without a change first, because usually the update is in progress.
    with db_api.context_manager.reader.independent.using(context) as session:
        ids = tree_rows.stack_ids(session, root_id)
        rows = {row.id: row for row in session.execute(
            sqlalchemy.select(_stack).where(
                _stack.c.id.in_(ids), _stack.c.deleted_at.is_(None)))}
        return (tree_rows.held_stack_locks(session, rows)
                + tree_rows.find_blockers(session, rows))


@transactions.on_db_error
def _relock(context, root_id, dead_engines):
    # Like lock_transaction.lock_tree, but with the existing lock.
    own = uuidutils.generate_uuid()
    with transactions.start(context) as session:
        rows = tree_rows.fence_tree(session, root_id)
        root = rows.get(root_id)
        if root is None or root.lock_passing is None:
            # The rollback removes the fence, because the stacks might be
            # unlocked and in use.
            raise _Unlocked()
        lock_transaction.check_idle(session, rows, dead_engines, own)
        _write_lock(session, rows, root)
        tree_rows.release_stack_locks(session, list(rows), own)
        if set(tree_rows.stack_ids(session, root_id)) != set(rows):
            raise lock_transaction.TreeChanged()
        events.write_completed(session, root, 'The lock is in effect again '
                               'after the update with the lock pass')
    LOG.info('The lock of %(name)s (%(id)s) is in effect again',
             {'name': root.name, 'id': root_id})
    return True


def _write_lock(session, rows, root):
    # Write the ID also, because new stacks might not have it.
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values(lock_level=root.lock_passing, lock_passing=None,
                lock_id=root.lock_id,
                current_traversal=lock_transaction.new_traversal()))
    guard_row.clear_pass(session, root.lock_id)
