# SPDX-License-Identifier: Apache-2.0

"""Close what an interlude without locks has left open.

While ``stack_lock`` was off in an engine, members came to locked trees that
nobody locked, and operations began that did not take UNLOCK_COMPLETE back, or
began on locked stacks and had not ended when the lock held again.
An engine looks for all of it when it starts, and again as long as it found
something that it could not close, or an engine without that is alive.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import interlude
from heat_extras.db import retries
from heat_extras import sanitize
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)

_stack = models.Stack.__table__

# The engines of this process that have nothing to look for any more.
_over = set()


def close(service):
    """Lock what is free below a lock, forget an unlock that is over.

    And end what is under way on a locked stack: nobody can go on with it.

    Called at every report; when all is well it asks which engines are alive.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        unguarded = engine_check.unguarded(context)
        if unguarded:
            _over.discard(service.engine_id)
        if service.engine_id in _over:
            return
        if not unguarded:
            # Else one of these may be working on it.
            _end_cut_off(context)
        is_closed = _close(context, service.engine_id)
        if is_closed and not unguarded:
            _over.add(service.engine_id)
    except Exception as error:
        LOG.error('heat-extras: what came while locks were off could not be '
                  'looked for: %s', error)


def _end_cut_off(context):
    for row in _fail_cut_off(context):
        LOG.warning('%(action)s of stack %(name)s (%(id)s) was under way when '
                    'its lock held again, and has failed by that',
                    {'action': row.action, 'name': row.name, 'id': row.id})


@retries.on_db_error
def _fail_cut_off(context):
    with lock_transaction.transaction(context) as session:
        ids = [row.id for row in interlude.cut_off(session)]
        if not ids:
            return []
        tree.raise_atomic_keys(session, ids)
        tree.fail_what_is_in_progress(session, ids, words.CUT_OFF)
        rows = tree.stacks(session, ids)
        if not all(row.lock_level is not None
                   and row.status == states.IN_PROGRESS
                   for row in rows.values()):
            raise lock_transaction.TreeChanged()
        session.execute(
            sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
            .values(status=states.FAILED, status_reason=words.CUT_OFF,
                    current_traversal=lock_transaction.new_traversal()))
        events.failed(session, rows, words.CUT_OFF)
    return list(rows.values())


def _close(context, engine_id):
    with db_api.context_manager.reader.independent.using(context) as session:
        free = interlude.half_locked(session)
        outlived = interlude.outlived(session)
    if outlived:
        count = _forget_unlock(context, [row.id for row in outlived])
        LOG.warning('Stacks that showed UNLOCK_COMPLETE after a later '
                    'operation, from when locks were off: %s', count)
    roots = {_root(context, owner_id)
             for owner_id in {row.owner_id for row in free}}
    return all([_lock_rest(context, root_id, engine_id)
                for root_id in sorted(roots)])


def _root(context, stack_id):
    with db_api.context_manager.reader.independent.using(context):
        return db_api.stack_get_root_id(context, stack_id)


def _lock_rest(context, root_id, engine_id):
    try:
        try:
            count = _complete(context, root_id, engine_id)
        except lock_transaction.TreeBusy as busy:
            dead = lock_request.dead_engines(context, busy.blockers, engine_id)
            if not dead:
                raise
            count = _complete(context, root_id, engine_id, dead)
    except lock_transaction.TreeBusy as busy:
        LOG.warning('Stack %(id)s is locked, and something below it is not: '
                    'it came while locks were off. It is locked as soon as '
                    'the tree is at rest. In the way: %(busy)s',
                    {'id': root_id, 'busy': sanitize.printable(busy)})
        return False
    if count:
        LOG.warning('Stacks below the locked stack %(id)s that were free, '
                    'from when locks were off, and are locked now: %(count)s',
                    {'count': count, 'id': root_id})
    return True


@retries.on_db_error
def _complete(context, root_id, engine_id, dead_engines=frozenset()):
    # As lock_transaction.lock_tree, for what is free below a locked root.
    # Returns how many stacks that were.
    with lock_transaction.transaction(context) as session:
        rows = tree.fenced_stacks(session, root_id)
        root = rows.get(root_id)
        free = {id: row for id, row in rows.items() if row.lock_level is None}
        if not free or root is None or root.lock_level is None:
            return 0
        if root.lock_status == states.IN_PROGRESS:
            raise lock_transaction.TreeBusy([tree.Blocker(
                words.stack_unsettled(
                    words.named(root),
                    f'{root.lock_action}_{root.lock_status}'),
                root.lock_engine_id)])
        lock_transaction.check_at_rest(session, rows, dead_engines, engine_id)
        _write_rest(session, rows, root, free)
        tree.release_stack_locks(session, list(rows), engine_id)
        if set(tree.stack_ids(session, root_id)) != set(rows):
            raise lock_transaction.TreeChanged()
    return len(free)


def _write_rest(session, rows, root, free):
    reason = words.came_meanwhile(
        len(free), root.lock_level == states.ALL,
        root.lock_status_reason if root.lock_status == states.FAILED else None)
    values = {name: getattr(root, name) for name in lock_record.COLUMNS}
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values(**values | {
            'current_traversal': lock_transaction.new_traversal()}))
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id == root.id)
        .values(lock_status_reason=reason))
    events.finish(session, {root.id: root, **free}, root.id,
                  *lock_record.Lock.from_row(root).state, reason)


@retries.on_db_error
def _forget_unlock(context, stack_ids):
    # Each operation does this when it begins.
    with lock_transaction.transaction(context) as session:
        return session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_(stack_ids), _stack.c.lock_level.is_(None),
                   _stack.c.lock_action == states.UNLOCK)
            .values(lock_action=None, lock_status=None,
                    lock_status_reason=None)).rowcount
