# SPDX-License-Identifier: Apache-2.0

"""Read and write the rows of locks, lock passes and delete protections.

There is one row for each root and kind. Every stack of a locked tree has the
ID of the row of the lock, and a protected root the ID of its protection. So
stacks without these IDs need no query. A row is written in the transaction
that writes its ID to the stacks. If an engine without stack_lock deletes a
stack, the row remains. A lock pass is in the row of its lock.
"""

from heat.db import api as db_api
from heat.db import models as heat_models
from sqlalchemy import sql

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import stack_columns
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import lock_record

_guard = models.guard_table
_stack = heat_models.Stack.__table__

#: The columns of a lock pass. Without a pass, all of them are NULL.
PASS_COLUMNS = tuple(column for column in _guard.c
                     if column.name.startswith('pass_'))

# The columns of stacks with the IDs of rows, and the classes of the rows.
_KINDS = {models.LOCK: ('lock_id', lock_record.Lock),
          models.DELETE_PROTECTION: ('delete_protection_id',
                                     protection.Protection)}


def select_guards(kind, *columns):
    """Select stacks with the rows of their locks, or of their protections.

    :param columns: further columns of the stacks to select, without ``id``.
    :returns: a query with rows for :meth:`lock_record.Lock.from_row` or
        :meth:`protection.Protection.from_row`. They also have the ID of the
        stack as ``of_stack``.
    """
    # An outer join, because a stack without the row is still locked.
    return sql.select(
        *columns, *row_columns(), sql.literal(kind).label('of_kind')
    ).outerjoin_from(_stack, _guard,
                     _guard.c.id == _stack.c[_KINDS[kind][0]])


def row_columns():
    """Return the columns that are the same for both kinds."""
    return (_stack.c.id.label('of_stack'), _stack.c.lock_level,
            _stack.c.lock_passing, _stack.c.lock_id,
            _stack.c.delete_protection_id, _guard,
            has_valid_pass().label('has_pass'))


def read_lock(context, stack_id):
    """Read the current lock of one stack from the database.

    :returns: the stack's name and its lock, or None and
        :data:`lock_record.UNLOCKED` if the stack does not exist.
    """
    query = select_guards(models.LOCK, _stack.c.name).where(
        _stack.c.id == stack_id)
    with db_api.context_manager.reader.independent.using(context) as session:
        row = session.execute(query).first()
    if row is None:
        return None, lock_record.UNLOCKED
    return row.name, lock_record.Lock.from_row(row)


def read_lock_of(context, stack):
    """Read the current lock of a stack, without a query if it had no lock.

    :param stack: a heat.objects.stack.Stack.
    """
    columns = stack_columns.get_columns(stack)
    return (read_lock(context, stack.id)[1]
            if lock_record.Lock.from_columns(columns).is_locked
            else lock_record.UNLOCKED)


def read_in(session, kind, stack_id, columns):
    """Read the lock or protection of a stack in the caller's transaction.

    It needs no query if the stack has none.

    :param columns: an object with the columns of the stack.
    """
    name, record = _KINDS[kind]
    if getattr(columns, name) is None:
        return record.from_columns(columns)
    return record.from_row(session.execute(
        select_guards(kind).where(_stack.c.id == stack_id)).one())


def read_all(context, stack_ids):
    """Read the current locks and protections of stacks, with one query.

    :returns: a dict from the ID of a stack to a dict by kind.
    """
    query = sql.union_all(*(
        select_guards(kind).where(_stack.c.id.in_(stack_ids),
                                  _stack.c[name].is_not(None))
        for kind, (name, _) in _KINDS.items()))
    found: dict = {stack_id: {} for stack_id in stack_ids}
    with db_api.context_manager.reader.independent.using(context) as session:
        for row in session.execute(query):
            found[row.of_stack][row.of_kind] = _KINDS[
                row.of_kind][1].from_row(row)
    return found


def insert(session, root, kind, **values):
    """Insert the row of a lock or protection.

    :param root: the row of its root stack.
    :param values: the values of the row, with its ID.
    """
    session.execute(sql.insert(_guard).values(
        kind=kind, stack_id=root.id, project=root.tenant, **values))


def update(session, guard_id, **values):
    """Change the row of a lock or protection."""
    session.execute(sql.update(_guard).where(_guard.c.id == guard_id)
                    .values(values))


def delete(session, root_id, kind):
    """Delete the row of a tree's lock or protection."""
    session.execute(sql.delete(_guard).where(
        _guard.c.stack_id == root_id, _guard.c.kind == kind))


def has_valid_pass():
    """Return an expression whether the pass of a row is usable or in use.

    The expiration of a pass in use does not count.
    """
    return sql.or_(_guard.c.pass_used_at.is_not(None),
                   _guard.c.pass_expires_at > db_time.now())


def lock_valid_pass(session, lock_id):
    """Lock the row of a lock whose pass is usable or in use, and read it.

    :returns: a row with :data:`PASS_COLUMNS`, or None.
    """
    query = sql.select(*PASS_COLUMNS).where(_guard.c.id == lock_id,
                                            has_valid_pass())
    return session.execute(query.with_for_update()).first()


def clear_pass(session, lock_id, *criteria):
    """Remove the pass of a lock.

    :param criteria: further conditions of the row.
    :returns: whether there was a pass.
    """
    return session.execute(
        sql.update(_guard)
        .where(_guard.c.id == lock_id, _guard.c.pass_granted_at.is_not(None),
               *criteria)
        .values({column.name: None for column in PASS_COLUMNS})).rowcount > 0
