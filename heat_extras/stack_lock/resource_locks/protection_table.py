# SPDX-License-Identifier: Apache-2.0

"""The rows of ``heat_extras_protection``: whose locks are whose.

A row is about a row of Heat's table of resources, and has its id.
"""

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import models
from heat_extras.db import resource_events
from heat_extras.db import retries
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states

_table = models.protection_table
_stack = heat_models.Stack.__table__
_AT_A_TIME = 1000


def of_tree(context, root_id):
    """Read the rows of a tree.

    :returns: a dict from the id of a resource to its row.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        return _by_id(session, _table.c.root_id == root_id)


def of_stacks(context, stack_ids):
    """Read the rows of some stacks, as :func:`of_tree` does.

    Each also has ``lock_level``, ``lock_action`` and ``lock_status`` of its
    stack.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        return _by_id(session, _table.c.stack_id.in_(list(stack_ids)),
                      _stack.c.lock_level, _stack.c.lock_action,
                      _stack.c.lock_status)


def _by_id(session, condition, *more):
    query = sqlalchemy.select(_table, *more).where(condition)
    if more:
        query = query.join(_stack, _stack.c.id == _table.c.stack_id)
    rows = session.execute(query)
    return {row.resource_id: row for row in rows}


def of_resource(session, resource_id):
    """Read the row of one resource, or None, in the caller's transaction."""
    return session.execute(sqlalchemy.select(_table).where(
        _table.c.resource_id == resource_id)).first()


def set_state(session, resource_id, state):
    """Note that a resource's lock is ours, in the caller's transaction.

    :param state: one of :data:`states.OURS`.
    """
    session.execute(
        sqlalchemy.update(_table).where(_table.c.resource_id == resource_id)
        .values(state=state, reason=None, updated_at=timeutils.utcnow()))


def doubt(session, root_id):
    """Note that what is protected in a tree may have been released since.

    In the caller's transaction. A lock asks for all of it again then, and an
    unlock looks it up.
    """
    _note_locking(session, root_id, (states.PROTECTED,),
                  'was being released, which did not finish')


def _note_locking(session, root_id, now, reason):
    session.execute(
        sqlalchemy.update(_table)
        .where(_table.c.root_id == root_id, _table.c.state.in_(now))
        .values(state=states.LOCKING, reason=reason,
                updated_at=timeutils.utcnow()))


def has_ours(session, root_id):
    """Return whether something is protected in this tree that we set."""
    return session.scalar(
        sqlalchemy.select(sqlalchemy.func.count()).select_from(_table)
        .where(_table.c.root_id == root_id,
               _table.c.state.in_(states.OURS))) > 0


@retries.on_db_error
def write(token, results, events=(), forgotten=()):
    """Replace the rows of some resources.

    :param token: a :class:`operation_token.Token`.
    :param results: a dict from resource to (state, reason).
    :param events: rows of Heat's table of events, written with them.
    :param forgotten: the ids of resources whose rows are deleted.
    :raises Superseded: and writes nothing.
    """
    if not (results or events or forgotten):
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
        _delete(session, [*(row['resource_id'] for row in rows), *forgotten])
        _insert(session, _table, rows)
        _insert(session, resource_events.table, events)


@retries.on_db_error
def mark_asked(token, events):
    """Note that the services are asked about all that is ours in a tree.

    :param events: as in :func:`write`.
    :raises Superseded: and writes nothing.
    """
    with db_api.context_manager.writer.independent.using(
            token.context) as session:
        token.hold(session)
        _note_locking(session, token.root_id, states.OURS, None)
        _insert(session, resource_events.table, events)


def _insert(session, table, rows):
    if rows:
        session.execute(sqlalchemy.insert(table), list(rows))


@retries.on_db_error
def settle(context, root_id, verdicts):
    """Change rows that nobody has changed since, of a lock that failed.

    :param verdicts: a list of (row as it was read, state, reason).
    """
    has_failed = sqlalchemy.exists().where(
        _stack.c.id == root_id, _stack.c.lock_status == lock_states.FAILED)
    with db_api.context_manager.writer.independent.using(context) as session:
        for row, state, reason in verdicts:
            session.execute(
                sqlalchemy.update(_table)
                .where(_table.c.resource_id == row.resource_id,
                       _table.c.state == row.state,
                       _table.c.updated_at == row.updated_at, has_failed)
                .values(state=state, reason=charset.storable(reason),
                        updated_at=timeutils.utcnow()))


def _delete(session, resource_ids):
    # A database takes so many parameters in a statement, and no more.
    for start in range(0, len(resource_ids), _AT_A_TIME):
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.resource_id.in_(
                resource_ids[start:start + _AT_A_TIME])))


def give_up(session, root_id):
    """Note that what is left of a lock stays protected after the unlock.

    In the caller's transaction.
    """
    session.execute(
        sqlalchemy.update(_table)
        .where(_table.c.root_id == root_id, _table.c.state.in_(states.OURS))
        .values(state=states.NOT_RELEASED, updated_at=timeutils.utcnow()))


def forget_tree(session, root_id, is_shown=False):
    """Delete the rows of a tree, in the caller's transaction.

    What was given up stays until a lock asks for it again, or the purge.

    :param is_shown: whether what was released stays as well.
    """
    kept = (states.NOT_RELEASED, *[states.RELEASED] * is_shown)
    session.execute(
        sqlalchemy.delete(_table).where(
            _table.c.root_id == root_id, _table.c.state.not_in(kept)))
