# SPDX-License-Identifier: Apache-2.0

"""Which stacks are nested in which: recursive queries on Heat's ``stack``.

The table is an argument, because some know it from Heat's models and some
must not import Heat. A result is a common table expression with the columns
that were asked for; one statement reads a tree, however deep it is.
"""

from sqlalchemy import sql


def inside(table, is_top, columns=('id',), with_deleted=False):
    """Return the stacks that a condition chooses, and all nested in them.

    :param is_top: the condition on *table*.
    :param columns: their names, ``id`` among them.
    :param with_deleted: whether also rows that Heat only marked as deleted,
        and what is below them.
    """
    chosen = sql.select(*(table.c[name] for name in columns))
    tree = chosen.where(is_top).cte('stacks_inside', recursive=True)
    nested = chosen.where(table.c.owner_id == tree.c.id)
    if not with_deleted:
        nested = nested.where(table.c.deleted_at.is_(None))
    return tree.union_all(nested)


def around(table, stack_id, columns=('id', 'owner_id')):
    """Return a stack and those that it is nested in.

    :param columns: their names, ``id`` and ``owner_id`` among them.
    """
    chosen = sql.select(*(table.c[name] for name in columns))
    tree = chosen.where(table.c.id == stack_id).cte('stacks_around',
                                                    recursive=True)
    return tree.union_all(chosen.where(table.c.id == tree.c.owner_id))


def root(table, stack_id):
    """Return a query for the id of the root of a stack's tree."""
    tree = around(table, stack_id)
    return sql.select(tree.c.id).where(tree.c.owner_id.is_(None))
