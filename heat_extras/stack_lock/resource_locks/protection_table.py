# SPDX-License-Identifier: Apache-2.0

"""The rows of ``heat_extras_protection``: one for each resource of a lock.

A row has the ID of a row of Heat's table of resources.
"""

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import models
from heat_extras.db import resource_events
from heat_extras.db import retries
from heat_extras.stack_lock.resource_locks import protection_states

_table = models.protection_table
_stack = heat_models.Stack.__table__
_guard = models.guard_table


def read_tree(context, root_id):
    """Read the rows of a tree.

    Each row also has ``lock_level``, ``lock_action`` and ``lock_status`` of
    its stack and lock.

    :returns: a dict from the ID of a resource to its row.
    """
    return _read_rows(context, _table.c.root_id == root_id)


def read_stacks(context, stack_ids):
    """Read the rows of some stacks, like :func:`read_tree`."""
    return _read_rows(context, _table.c.stack_id.in_(stack_ids))


def _read_rows(context, condition):
    query = sqlalchemy.select(
        _table, _stack.c.lock_level, _guard.c.action.label('lock_action'),
        _guard.c.status.label('lock_status')).join(
            _stack, _stack.c.id == _table.c.stack_id).outerjoin(
                _guard, _guard.c.id == _stack.c.lock_id).where(condition)
    with db_api.context_manager.reader.independent.using(context) as session:
        return {row.resource_id: row for row in session.execute(query)}


def _change_state(session, root_id, from_states, **values):
    session.execute(
        sqlalchemy.update(_table)
        .where(_table.c.root_id == root_id, _table.c.state.in_(from_states))
        .values(**values, updated_at=timeutils.utcnow()))


def read_states(session, root_id):
    """Return the different states of the resources of a tree, as a set."""
    return set(session.scalars(sqlalchemy.select(_table.c.state).distinct()
                               .where(_table.c.root_id == root_id)))


@retries.on_db_error
def replace_rows(token, results, events=(), deleted=()):
    """Replace the rows of some resources.

    :param token: a :class:`operation_token.Token`.
    :param results: a dict from resource to (state, reason).
    :param events: rows of Heat's table of events to write.
    :param deleted: the IDs of resources whose rows to delete.
    :raises Superseded: without a write, if the token is no longer valid.
    """
    if not (results or events or deleted):
        return
    now = timeutils.utcnow()
    rows = [{'resource_id': resource.id, 'stack_id': resource.stack.id,
             'root_id': token.root_id, 'resource_name': resource.name,
             'resource_type': resource.type(),
             'physical_resource_id': resource.resource_id, 'state': state,
             'reason': charset.storable(reason), 'updated_at': now}
            for resource, (state, reason) in results.items()]
    with db_api.context_manager.writer.independent.using(
            token.context) as session:
        token.hold(session)
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.resource_id.in_(
                [*(row['resource_id'] for row in rows), *deleted])))
        _insert(session, _table, rows)
        _insert(session, resource_events.table, events)


@retries.on_db_error
def mark_releasing(token, events):
    """Record that the services are called to release the resources of a tree.

    :param events: as in :func:`replace_rows`.
    :raises Superseded: without a write, if the token is no longer valid.
    """
    with db_api.context_manager.writer.independent.using(
            token.context) as session:
        token.hold(session)
        _change_state(session, token.root_id, protection_states.OWN,
                      state=protection_states.LOCKING, reason=None)
        _insert(session, resource_events.table, events)


def _insert(session, table, rows):
    if rows:
        session.execute(sqlalchemy.insert(table), list(rows))


@retries.on_db_error
def claim_found(context, resource_id):
    """Record that the tree's lock owns a protection that it had found."""
    with db_api.context_manager.writer.independent.using(context) as session:
        session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.resource_id == resource_id,
                   _table.c.state == protection_states.FOUND)
            .values(state=protection_states.PROTECTED, reason=None))


def mark_not_released(session, root_id):
    """Record that the resources of a tree stay protected after the unlock.

    Use the caller's transaction.
    """
    _change_state(session, root_id, protection_states.OWN,
                  state=protection_states.NOT_RELEASED)


def delete_tree(session, root_id, is_shown=False):
    """Delete the rows of a tree, in the caller's transaction.

    Rows of resources that were not released stay until the next lock or purge.

    :param is_shown: whether to also keep the rows of released resources.
    """
    kept = (protection_states.NOT_RELEASED,
            *[protection_states.RELEASED] * is_shown)
    session.execute(
        sqlalchemy.delete(_table).where(
            _table.c.root_id == root_id, _table.c.state.not_in(kept)))
