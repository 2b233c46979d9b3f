# SPDX-License-Identifier: Apache-2.0

"""Find the root stack that an operator names, without a project.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`.
"""

from sqlalchemy import sql

from heat_extras.db import heat_tables
from heat_extras import operator_errors
from heat_extras import sanitize

_stack = heat_tables.stack

# The maximum number of stacks that an error lists.
_NAMED = 5


class NoRootStack(operator_errors.HeatExtrasError):
    """No root stack or several root stacks are meant."""


def find_root(engine, name_or_id, command):
    """Return the row of a root stack.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param name_or_id: its ID, or a name that only one root stack has.
    :param command: the command that lists the stacks, for the error.
    :raises NoRootStack: if no root stack or several have the name.
    """
    rows = _matching_rows(engine, name_or_id)
    if not rows:
        raise NoRootStack(
            f'No root stack has the ID or name {sanitize.quote(name_or_id)}. '
            f'To list the stacks, run heat-extras-manage {command}.')
    if len(rows) > 1:
        raise NoRootStack(
            f'{len(rows)} stacks have the name {sanitize.quote(name_or_id)}: '
            f'{_list_stacks(rows)}. Give the ID of the stack.')
    if rows[0].owner_id is not None:
        raise NoRootStack(
            f'Stack {name_and_id(rows[0])} is nested in stack '
            f'{rows[0].owner_id}, and is always locked, unlocked and '
            'protected together with its root stack. Use the ID of the root '
            'stack.')
    return rows[0]


def name_and_id(row):
    """Return the name and ID of a stack, safe to print."""
    return sanitize.printable(f'{row.name} ({row.id})')


def _matching_rows(engine, name_or_id):
    if not name_or_id.isascii():
        # Heat does not allow such names, and a database can reject the query.
        return []
    is_meant = sql.or_(_stack.c.id == name_or_id, sql.and_(
        _stack.c.name == name_or_id, _stack.c.owner_id.is_(None)))
    with engine.connect() as connection:
        rows = connection.execute(sql.select(_stack).where(
            is_meant, _stack.c.deleted_at.is_(None))).all()
    # The name of a stack can be equal to the ID of another stack, and MySQL
    # and MariaDB compare "web" and "WEB" as equal.
    return ([row for row in rows if row.id == name_or_id]
            or [row for row in rows if row.name == name_or_id])


def _list_stacks(rows):
    return sanitize.join_some([f'{row.id} of project {row.tenant}'
                               for row in rows], ', ', most=_NAMED)
