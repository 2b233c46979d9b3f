# SPDX-License-Identifier: Apache-2.0

"""The stacks whose guards are asked for."""

import dataclasses
import datetime

from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras.db import stack_tree

_stack = models.Stack.__table__


@dataclasses.dataclass(frozen=True)
class Tree:
    """A stack with what is nested in it.

    :param stacks: rows of the stack table, parents before children; the
        first is the stack that was asked for.
    :param root_name: the name of the root stack, which has the locks.
    :param at: the moment for which guards are asked, UTC; None: now. Those
        that end by themselves before it are left out, whoever lists them.
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
        """Return the name of one of the stacks."""
        return next(row.name for row in self.stacks if row.id == stack_id)


def load(context, stack, nested, at=None):
    """Read a tree in one statement, and for a nested stack two more.

    :param stack: the row that Heat loaded.
    :param nested: whether to read the nested stacks, too.
    :param at: that of the tree.
    """
    return Tree(_rows(context, stack.id, nested),
                _root_name(context, stack), at)


def root(context, stack):
    """Read the row of the root of a stack's tree, for a nested one.

    :param stack: the row that Heat loaded.
    :returns: that itself where there is none: it, or one around it, is gone
        by now.
    """
    if stack.owner_id is None:
        return stack
    # Heat's own way there takes each stack for granted
    # (heat.db.api.stack_get_root_id).
    found = rows(context, sqlalchemy.select(_stack).where(
        _stack.c.id.in_(stack_tree.root(_stack, stack.id))))
    return found[0] if found else stack


def rows(context, query):
    """Run a query of a kind of guards, in a transaction of its own."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return list(session.execute(query))


def _rows(context, stack_id, nested):
    condition = _stack.c.id == stack_id
    if nested:
        tree = stack_tree.inside(_stack, condition)
        condition = _stack.c.id.in_(sqlalchemy.select(tree.c.id))
    return rows(context, sqlalchemy.select(_stack).where(condition).order_by(
        _stack.c.nested_depth, _stack.c.name, _stack.c.id))


def _root_name(context, stack):
    if stack.owner_id is None:
        return stack.name
    root_id = db_api.stack_get_root_id(context, stack.id)
    root = root_id and db_api.stack_get(context, root_id, eager_load=False)
    return root.name if root else stack.name
