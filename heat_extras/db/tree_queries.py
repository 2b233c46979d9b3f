# SPDX-License-Identifier: Apache-2.0

"""Recursive queries for stack trees on Heat's ``stack`` table.

The table is an argument, because some callers must not import Heat. A result
is a common table expression, so that one statement reads a tree of any depth.
"""

from sqlalchemy import sql


def select_subtree(table, is_top, columns=('id',), with_deleted=False):
    """Select the stacks that fulfill a condition, and their nested stacks.

    :param is_top: the condition on *table*.
    :param columns: names of columns, including ``id``.
    :param with_deleted: whether to include stacks that Heat has only marked
        as deleted, and their nested stacks.
    """
    chosen = sql.select(*(table.c[name] for name in columns))
    tree = chosen.where(is_top).cte('stacks_inside', recursive=True)
    nested = chosen.where(table.c.owner_id == tree.c.id)
    if not with_deleted:
        nested = nested.where(table.c.deleted_at.is_(None))
    return tree.union_all(nested)


def select_ancestors(table, stack_id, columns=('id', 'owner_id')):
    """Select a stack and the stacks around it.

    :param columns: names of columns, including ``id`` and ``owner_id``.
    """
    chosen = sql.select(*(table.c[name] for name in columns))
    tree = chosen.where(table.c.id == stack_id).cte('stacks_around',
                                                    recursive=True)
    return tree.union_all(chosen.where(table.c.id == tree.c.owner_id))


def select_root_id(table, stack_id):
    """Select the ID of the root of a stack's tree."""
    tree = select_ancestors(table, stack_id)
    return sql.select(tree.c.id).where(tree.c.owner_id.is_(None))
