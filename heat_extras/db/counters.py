# SPDX-License-Identifier: Apache-2.0

"""Read the counters of operations that guards rejected.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`.
"""

from sqlalchemy import sql

from heat_extras.db import heat_tables
from heat_extras.db import models
from heat_extras.db import purge

_counter = models.counter_table

# Events. A lock rejected an operation, or ignored a signal.
REFUSED, IGNORED = 'refused', 'ignored'
# Events of lifecycle plugins. Their operation is "ACTION PLUGIN".
DENIED, ERROR, TIMEOUT = 'denied', 'plugin error', 'plugin timeout'
# A policy or parameter rejected an update. A resource was marked or reset.
POLICY, PARAMETER, HEALTH = 'policy', 'parameter', 'health'
# A lock pass was granted, used, revoked or expired.
PASS = 'pass'
# A freeze rejected an operation, or ignored a signal (by the name of the
# window). A freezes file has errors.
FROZEN, FROZEN_SIGNAL, FREEZES_FILE = (
    'frozen', 'frozen signal', 'freezes file')
UNUSABLE = 'unusable'

# The operations of these events. RESOURCE is an update that a policy stopped
# at a resource.
RESOURCE, MARK, RESET = 'resource', 'mark', 'reset'
POLICIES = ('update', 'restore', RESOURCE, 'delete', 'abandon')
PARAMETERS = ('update', 'restore')
CHANGES = (MARK, RESET)
PASSES = GRANTED, USED, REVOKED, EXPIRED = (
    'granted', 'used', 'revoked', 'expired')

# The stack ID of the counters of all deleted stacks.
DELETED_STACKS = ''

_stack = heat_tables.stack


def read_totals(engine):
    """Return the sums of the counters of all stacks, also of deleted stacks.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: rows with ``event``, ``operation`` and ``total``.
    """
    with engine.connect() as connection:
        return connection.execute(_select_totals()).all()


def plugin_operation(action, name):
    """Return the operation of the counters of a plugin."""
    return f'{action} {name}'


def split_plugin_operation(operation):
    """Split a result of :func:`plugin_operation` into action and name."""
    action, _, name = operation.partition(' ')
    return action, name


def list_per_stack(engine, project=None):
    """List the counters of stacks that are not deleted, most recent first.

    :param project: a project ID, to list only the stacks of this project.
    :returns: rows with the columns of the counter table, ``name`` and
        ``tenant``.
    """
    query = (sql.select(_counter, _stack.c.name, _stack.c.tenant)
             .join(_stack, _stack.c.id == _counter.c.stack_id)
             .where(_stack.c.deleted_at.is_(None))
             .order_by(_counter.c.last_at.desc(), _counter.c.stack_id,
                       _counter.c.operation))
    if project:
        query = query.where(_stack.c.tenant == project)
    with engine.connect() as connection:
        return connection.execute(query).all()


def move_deleted(engine):
    """Add the counters of deleted stacks to one row per operation.

    So the totals never decrease.

    :returns: the number of rows that were moved.
    """
    return sum(
        _move(engine, stack_id) for stack_id in purge.list_deleted_stack_ids(
            engine, _counter, _counter.c.stack_id != DELETED_STACKS))


def _move(engine, stack_id):
    which = _counter.c.stack_id == stack_id
    with engine.begin() as connection:
        for row in connection.execute(_select_totals().where(which)).all():
            _add_to_deleted(connection, row)
        return connection.execute(sql.delete(_counter).where(which)).rowcount


def _select_totals():
    return (sql.select(_counter.c.event, _counter.c.operation,
                       sql.func.sum(_counter.c.count).label('total'),
                       sql.func.min(_counter.c.first_at).label('first_at'),
                       sql.func.max(_counter.c.last_at).label('last_at'))
            .group_by(_counter.c.event, _counter.c.operation)
            .order_by(_counter.c.event, _counter.c.operation))


def _add_to_deleted(connection, row):
    total = int(row.total)
    moved = connection.execute(
        sql.update(_counter)
        .where(_counter.c.stack_id == DELETED_STACKS,
               _counter.c.event == row.event,
               _counter.c.operation == row.operation)
        .values(count=_counter.c.count + total, last_at=row.last_at))
    if not moved.rowcount:
        connection.execute(sql.insert(_counter).values(
            stack_id=DELETED_STACKS, event=row.event, operation=row.operation,
            count=total, first_at=row.first_at, last_at=row.last_at))
