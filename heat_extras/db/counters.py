# SPDX-License-Identifier: Apache-2.0

"""What locks, policies and plugins stopped, as engines count it.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`.
"""

from sqlalchemy import sql

from heat_extras.db import heat_tables
from heat_extras.db import models
from heat_extras.db import purge

_counter = models.counter_table

# What happened: to a lock's operations and signals,
REFUSED, IGNORED = 'refused', 'ignored'
# before or after an action, which is written as "ACTION PLUGIN",
DENIED, ERROR, TIMEOUT = 'denied', 'plugin error', 'plugin timeout'
# to updates that a policy, or a parameter, forbids, and to the health of
# resources.
POLICY, PARAMETER, HEALTH = 'policy', 'parameter', 'health'
# To passes through locks.
PASS = 'pass'
# In a freeze: what is refused, signals by the name of the window, and a file
# that has errors.
FROZEN, FROZEN_SIGNAL, FREEZES_FILE = (
    'frozen', 'frozen signal', 'freezes file')
UNUSABLE = 'unusable'

# The operations that are counted of these. An update may have come to a
# resource when a policy forbids what it does there.
RESOURCE, MARK, RESET = 'resource', 'mark', 'reset'
POLICIES = ('update', 'restore', RESOURCE, 'delete', 'abandon')
PARAMETERS = ('update', 'restore')
CHANGES = (MARK, RESET)
PASSES = GRANTED, USED, REVOKED, EXPIRED = (
    'granted', 'used', 'revoked', 'expired')

# What is counted of all the stacks that are gone.
GONE = ''

_stack = heat_tables.stack


def totals(engine):
    """Add up the counters of all stacks, those that are gone included.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: rows with ``event``, ``operation`` and ``total``.
    """
    with engine.connect() as connection:
        return connection.execute(_totals()).all()


def of_plugin(action, name):
    """Make the operation under which something of a plugin is counted."""
    return f'{action} {name}'


def plugin_of(operation):
    """Return action and name of what :func:`of_plugin` made."""
    action, _, name = operation.partition(' ')
    return action, name


def per_stack(engine, project=None):
    """List the counters of the stacks that are there, most recent first.

    :param project: only the stacks of this project id.
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
    """Move what is counted of stacks that are gone to one row per operation.

    So that the totals never fall.

    :returns: how many rows were moved.
    """
    return sum(_move(engine, stack_id) for stack_id in purge.ids(
        engine, _counter, _counter.c.stack_id != GONE))


def _move(engine, stack_id):
    which = _counter.c.stack_id == stack_id
    with engine.begin() as connection:
        for row in connection.execute(_totals().where(which)).all():
            _add_gone(connection, row)
        return connection.execute(sql.delete(_counter).where(which)).rowcount


def _totals():
    return (sql.select(_counter.c.event, _counter.c.operation,
                       sql.func.sum(_counter.c.count).label('total'),
                       sql.func.min(_counter.c.first_at).label('first_at'),
                       sql.func.max(_counter.c.last_at).label('last_at'))
            .group_by(_counter.c.event, _counter.c.operation)
            .order_by(_counter.c.event, _counter.c.operation))


def _add_gone(connection, row):
    total = int(row.total)
    moved = connection.execute(
        sql.update(_counter)
        .where(_counter.c.stack_id == GONE, _counter.c.event == row.event,
               _counter.c.operation == row.operation)
        .values(count=_counter.c.count + total, last_at=row.last_at))
    if not moved.rowcount:
        connection.execute(sql.insert(_counter).values(
            stack_id=GONE, event=row.event, operation=row.operation,
            count=total, first_at=row.first_at, last_at=row.last_at))
