# SPDX-License-Identifier: Apache-2.0

"""Queries and updates of a stack with all its nested stacks.

Every function needs one or two SQL statements, regardless of the size of the
tree, in a transaction of
:mod:`heat_extras.stack_lock.lock_transaction`.
"""

import dataclasses
import datetime

from heat.db import models
from oslo_config import cfg
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import tree_queries
from heat_extras.stack_lock import messages

_stack = models.Stack.__table__
_resource = models.Resource.__table__
_snapshot = models.Snapshot.__table__
_sync_point = models.SyncPoint.__table__
_event = models.Event.__table__
_stack_lock = models.StackLock.__table__
# The model in Heat 24 and 25 does not have this column.
_snapshot_action = sqlalchemy.column('action', sqlalchemy.String(255))

# The maximum time, in seconds, until a rollback starts.
_ROLLBACK_BEGINS = 300
_ENGINE_DOWN = 'The engine that processed the resource was considered down.'
_ROLLS_BACK = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')


@dataclasses.dataclass(frozen=True)
class Blocker:
    """An operation in progress in the tree.

    :param text: the description for a message.
    :param engine_id: the engine of the operation, or None.
    """

    text: str
    engine_id: str | None = None


def stack_ids(session, root_id):
    """List the IDs of a stack and all its nested stacks, the root first."""
    tree = tree_queries.select_subtree(_stack, _stack.c.id == root_id)
    return list(session.scalars(sqlalchemy.select(tree.c.id)))


def select_for_update(session, ids):
    """Read the rows of the stacks, and lock them until the transaction ends.

    :returns: a dict from ID to row, with the columns of ``stack``.
    """
    rows = session.execute(
        sqlalchemy.select(_stack).where(_stack.c.id.in_(ids),
                                        _stack.c.deleted_at.is_(None))
        .order_by(_stack.c.id).with_for_update())
    return {row.id: row for row in rows}


def fence_tree(session, root_id):
    """Fence a tree, and read its rows like :func:`select_for_update`.

    Resources that were loaded before can no longer be written.
    """
    ids = stack_ids(session, root_id)
    bump_atomic_keys(session, ids)
    touch_snapshots(session, ids)
    rows = select_for_update(session, ids)
    # Repeat this for resources that were created between the two statements.
    # Now no resource can be created, because its foreign key needs the rows of
    # the stacks. The first call is still needed, so that resources are locked
    # before stacks.
    bump_atomic_keys(session, ids)
    return {id: rows[id] for id in ids if id in rows}


def bump_atomic_keys(session, ids):
    """Make every write of an earlier loaded resource fail.

    Heat writes resources with a compare-and-swap on ``atomic_key``
    (heat.db.api.resource_update). This also locks the rows.
    """
    session.execute(
        sqlalchemy.update(_resource).where(_resource.c.stack_id.in_(ids))
        .values(atomic_key=sqlalchemy.func.coalesce(
            _resource.c.atomic_key, 0) + 1))


def touch_snapshots(session, ids):
    """Make a deletion on another node of a Galera cluster fail.

    Galera commits two transactions at the same time unless they change the
    same row. A transaction that only reads the stack's row to check for a lock
    (heat_extras.stack_lock.guarded_writes) does not change it.
    """
    now = timeutils.utcnow().replace(microsecond=0)
    later = now + datetime.timedelta(seconds=1)
    # The value must be different: otherwise the row is not changed.
    session.execute(
        sqlalchemy.update(_snapshot)
        .where(_snapshot.c.stack_id.in_(ids),
               _snapshot.c.status != 'IN_PROGRESS')
        .values(updated_at=sqlalchemy.case(
            (_snapshot.c.updated_at == now, later), else_=now)))


def hold_stack_locks(session, ids, engine_id):
    """Acquire Heat's StackLock of every stack of the tree."""
    session.execute(
        sqlalchemy.insert(_stack_lock),
        [{'stack_id': id, 'engine_id': engine_id} for id in ids])


def release_stack_locks(session, ids, engine_id):
    session.execute(
        sqlalchemy.delete(_stack_lock).where(
            _stack_lock.c.stack_id.in_(ids),
            _stack_lock.c.engine_id == engine_id))


def end_operations_of(session, ids, engine_ids):
    """Delete the StackLock rows of dead engines, and fail their resources.

    An engine can continue later, but it can no longer write a resource that
    was fenced, not even to release the resource. So the resource would keep
    the ID of a live engine. Heat does the same if it finds a dead engine
    (heat.engine.check_resource.CheckResource._stale_resource_needs_retry).
    """
    session.execute(
        sqlalchemy.delete(_stack_lock).where(
            _stack_lock.c.stack_id.in_(ids),
            _stack_lock.c.engine_id.in_(engine_ids)))
    is_busy = _resource.c.status == 'IN_PROGRESS'
    session.execute(
        sqlalchemy.update(_resource)
        .where(_resource.c.stack_id.in_(ids),
               _resource.c.engine_id.in_(engine_ids))
        # MySQL assigns in this order, and the reason depends on the status.
        .ordered_values(
            (_resource.c.engine_id, None),
            (_resource.c.status_reason, sqlalchemy.case(
                (is_busy, _ENGINE_DOWN), else_=_resource.c.status_reason)),
            (_resource.c.status, sqlalchemy.case(
                (is_busy, 'FAILED'), else_=_resource.c.status))))


def held_stack_locks(session, rows):
    """Find the stacks whose StackLock is held."""
    held = session.execute(
        sqlalchemy.select(_stack_lock.c.stack_id, _stack_lock.c.engine_id)
        .where(_stack_lock.c.stack_id.in_(list(rows))))
    return [Blocker(f'stack {messages.name_and_id(rows[lock.stack_id])} is '
                    f'being processed by engine {lock.engine_id}',
                    lock.engine_id) for lock in held]


def find_blockers(session, rows):
    """Find all operations in progress, except those that hold a StackLock."""
    timeout = cfg.CONF.stack_action_timeout
    return (unsettled_stacks(rows) + unsettled_resources(session, rows)
            + unfinished_snapshots(session, rows, timeout)
            + pending_rollbacks(session, rows, timeout))


def unsettled_stacks(rows):
    """Find the stacks without a final status, without a query."""
    return [Blocker(f'stack {messages.name_and_id(row)} is '
                    f'{row.action}_{row.status}')
            for row in rows.values()
            if not row.backup and _is_unsettled(row)]


def _is_unsettled(row):
    return (row.status == 'IN_PROGRESS'
            or (row.action, row.status) in (('INIT', 'COMPLETE'),
                                            ('DELETE', 'COMPLETE')))


def unsettled_resources(session, rows):
    """Find the resources that an engine processes.

    A FAILED stack can have such resources, because the other branches of a
    traversal continue after the first failure. In a FAILED stack, a resource
    that is IN_PROGRESS without an engine does not count.
    """
    busy = session.execute(
        sqlalchemy.select(
            _resource.c.name, _resource.c.stack_id, _resource.c.action,
            _resource.c.status, _resource.c.engine_id)
        .where(_resource.c.stack_id.in_(list(rows)),
               sqlalchemy.or_(_resource.c.engine_id.is_not(None),
                              _resource.c.status == 'IN_PROGRESS')))
    return [Blocker(f'resource {row.name} of stack '
                    f'{rows[row.stack_id].name} is {row.action}_{row.status} '
                    'and being processed', row.engine_id)
            for row in busy
            if row.engine_id is not None
            or rows[row.stack_id].status != 'FAILED']


def unfinished_snapshots(session, rows, timeout):
    """Find the snapshots that are being created or deleted.

    A lost race can leave a row in CREATE_IN_PROGRESS forever. Such a row does
    not have the stack's traversal as its ID, unlike a snapshot in progress. A
    deletion that is older than *timeout* seconds has died with its engine.
    Heat 24 and 25 hold the StackLock for snapshots, and do not record
    deletions. But a newer Heat can use the same database, so check the
    database and not the model.
    """
    if not has_column(session, _snapshot, _snapshot_action.name):
        return []
    snapshots = session.execute(
        sqlalchemy.select(
            _snapshot.c.id, _snapshot.c.stack_id, _snapshot_action,
            _snapshot.c.updated_at, _snapshot.c.created_at)
        .where(_snapshot.c.stack_id.in_(list(rows)),
               _snapshot.c.status == 'IN_PROGRESS'))
    return [Blocker(f'snapshot {row.id} of stack {rows[row.stack_id].name} is '
                    f'{row.action or "CREATE"}_IN_PROGRESS')
            for row in snapshots
            if _is_unfinished(row, rows[row.stack_id], timeout)]


def has_column(session, table, name):
    """Return whether a table of Heat's has a column in the database.

    Heat's model has only the columns of its own release. During a rolling
    upgrade, migrations of a newer Heat can add columns, but remove none. So
    the result is cached for a connection when the column was found.

    :param table: a :class:`sqlalchemy.Table` of Heat's model.
    """
    if name in table.c:
        return True
    connection = session.connection()
    key = f'heat_extras.{table.name}.{name}'
    if key not in connection.info:
        columns = sqlalchemy.inspect(connection).get_columns(table.name)
        if name not in {column['name'] for column in columns}:
            return False
        connection.info[key] = True
    return True


def _is_unfinished(snapshot, stack, timeout):
    if snapshot.action == 'DELETE':
        since = snapshot.updated_at or snapshot.created_at
        return not _is_older(since, timeout)
    return snapshot.id == stack.current_traversal


def pending_rollbacks(session, rows, timeout):
    """Find the failed stacks that Heat is about to roll back.

    The sync points of the failed traversal exist until Stack.converge_stack
    starts the rollback. There is no other sign in the database. If no stack
    failed with rollback enabled, this needs no query.
    """
    failed = [row for row in rows.values()
              if row.convergence and row.status == 'FAILED'
              and not row.disable_rollback
              and row.action in _ROLLS_BACK and row.current_traversal]
    if not failed:
        return []
    stack_ids = set(session.scalars(
        sqlalchemy.select(_sync_point.c.stack_id).distinct()
        .where(_sync_point.c.stack_id.in_(list(rows)),
               _sync_point.c.traversal_id.in_(
                   {row.current_traversal for row in failed}))))
    timed_out = {id for id in stack_ids if _has_timed_out(rows[id], timeout)}
    timed_out -= _failed_recently(session, timed_out)
    return [Blocker(f'stack {messages.name_and_id(rows[id])} failed and is '
                    'about to be rolled back') for id in stack_ids - timed_out]


def _has_timed_out(row, timeout):
    return _is_older(row.updated_at or row.created_at,
                     row.timeout * 60 if row.timeout else timeout)


def _failed_recently(session, ids):
    # If the failure is a timeout, the rollback starts after the time of the
    # stack is over. Heat writes the event of a failure before the failure.
    if not ids:
        return set()
    since = timeutils.utcnow() - datetime.timedelta(
        seconds=_ROLLBACK_BEGINS)
    return set(session.scalars(
        sqlalchemy.select(_event.c.stack_id).distinct()
        .where(_event.c.stack_id.in_(ids),
               _event.c.physical_resource_id == _event.c.stack_id,
               _event.c.resource_status == 'FAILED',
               _event.c.created_at > since)))


def _is_older(since, seconds):
    return (since is not None and timeutils.utcnow() - since
            > datetime.timedelta(seconds=seconds))
