# SPDX-License-Identifier: Apache-2.0

"""The stacks whose guards are listed."""

import dataclasses
import datetime

from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras.db import tree_queries

_stack = models.Stack.__table__


@dataclasses.dataclass(frozen=True)
class Tree:
    """A stack and its nested stacks.

    :param stacks: rows of the stack table, parents before children. The
        first row is the stack of the request.
    :param root_name: the name of the root stack, which has the locks.
    :param at: the time for which guards are listed, in UTC, or None for now.
        Guards that expire before this time are left out.
    """

    stacks: list
    root_name: str
    at: datetime.datetime | None = None

    @property
    def stack(self):
        return self.stacks[0]

    @property
    def ids(self):
        return [row.id for row in self.stacks]

    def name_of(self, stack_id):
        """Return the name of a stack of the tree."""
        return next(row.name for row in self.stacks if row.id == stack_id)


def load_tree(context, stack, nested, at=None):
    """Read a tree with one query, or with three for a nested stack.

    :param stack: the row that Heat loaded.
    :param nested: whether to read also the nested stacks.
    :param at: see :class:`Tree`.
    """
    return Tree(_read_rows(context, stack.id, nested),
                _root_name(context, stack), at)


def read_root(context, stack):
    """Return the row of the root of a stack's tree.

    :param stack: the row that Heat loaded.
    :returns: *stack* itself if it is a root, or if it or a stack around it
        has been deleted.
    """
    if stack.owner_id is None:
        return stack
    # heat.db.api.stack_get_root_id fails if one of the stacks is deleted.
    rows = run_query(context, sqlalchemy.select(_stack).where(
        _stack.c.id.in_(tree_queries.select_root_id(_stack, stack.id))))
    return rows[0] if rows else stack


def run_query(context, query):
    """Run a query in a transaction of its own, and return its rows."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return list(session.execute(query))


def _read_rows(context, stack_id, nested):
    condition = _stack.c.id == stack_id
    if nested:
        tree = tree_queries.select_subtree(_stack, condition)
        condition = _stack.c.id.in_(sqlalchemy.select(tree.c.id))
    return run_query(
        context, sqlalchemy.select(_stack).where(condition).order_by(
            _stack.c.nested_depth, _stack.c.name, _stack.c.id))


def _root_name(context, stack):
    if stack.owner_id is None:
        return stack.name
    root_id = db_api.stack_get_root_id(context, stack.id)
    root = root_id and db_api.stack_get(context, root_id, eager_load=False)
    return root.name if root else stack.name
