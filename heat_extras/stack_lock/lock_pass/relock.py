# SPDX-License-Identifier: Apache-2.0

"""Lock a tree again after an update with a lock pass.

The tree is locked as soon as it is idle, with the same check and the same
fence as any lock. So operations that loaded the stack before cannot continue.
The engine that ends the update checks the tree, and so does each engine at its
report. The lock or the pass can expire before, without an effect. No plugin is
called.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.heat_internals import heartbeat
from heat_extras.operations import transactions
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import tree_rows

LOG = logging.getLogger(__name__)

_lock = models.guard_table
_stack = heat_models.Stack.__table__


class _Unlocked(Exception):
    """No update with a pass is in progress in the tree."""


def relock_due(sweep):
    """Lock all trees again whose update with a pass has ended.

    If there is no such tree, it only reads the lock table.

    :param sweep: the :class:`heat_extras.operations.sweep.Sweep`.
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


@retries.on_db_error
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
