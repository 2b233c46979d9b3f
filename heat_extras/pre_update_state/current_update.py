# SPDX-License-Identifier: Apache-2.0

"""The update that a stack takes part in, as the stacks around it show it.

The action of a nested stack is UPDATE also while its parent rolls back.
"""

import dataclasses
import itertools

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import stack_tree
from heat_extras.pre_update_state import baseline

UPDATE, ROLLBACK, RESTORE = 'UPDATE', 'ROLLBACK', 'RESTORE'
ACTIONS = (UPDATE, ROLLBACK, RESTORE)

_stack = heat_models.Stack.__table__
_COLUMNS = ('id', 'owner_id', 'action', 'status', 'convergence',
            'current_traversal', 'prev_raw_template_id',
            'parent_resource_name')


@dataclasses.dataclass(frozen=True)
class CurrentUpdate:
    """An update, rollback or restore of a stack tree.

    :param action: UPDATE, ROLLBACK or RESTORE.
    :param key: the key of the update. A rollback has the key of the update
        that it rolls back.
    :param is_in_progress: False for a stack without an operation in progress.
    :param stack_id: the ID of the stack that it was requested for.
    :param path: the names of the resources around the stack, from the stack
        that it was requested for.
    """

    action: str
    key: str
    is_in_progress: bool = True
    stack_id: str | None = None
    path: tuple = ()

    @property
    def is_rollback(self):
        return self.action == ROLLBACK


def find_update(context, stack_id):
    """Find the update that a stack takes part in.

    The update was requested for the stack itself or for a stack around it.
    All stacks between them are in progress.

    :returns: a :class:`CurrentUpdate`. For a stack that is not in the
        database, it is an UPDATE that is not in progress.
    """
    rows = _in_progress_path(_read_ancestors(context, stack_id))
    if not rows:
        return CurrentUpdate(UPDATE, '', is_in_progress=False)
    requested = rows[-1]
    actions = {row.action for row in rows if _is_in_progress(row)}
    action = next((each for each in (ROLLBACK, RESTORE) if each in actions),
                  UPDATE)
    key = update_key(requested)
    if action == ROLLBACK:
        key = baseline.read_state(context, requested.id,
                                  baseline.ROLLED_BACK, key) or key
    return CurrentUpdate(
        action, key, bool(actions), requested.id,
        tuple(row.parent_resource_name for row in reversed(rows[:-1])))


def update_key(stack):
    """Return the key that identifies an update or a rollback of a stack.

    :param stack: a heat.engine.stack.Stack or its row, in progress.
    """
    if stack.convergence:
        return stack.current_traversal or ''
    # Stack.update_task stores a copy of the new template for each update.
    return f'template {stack.prev_raw_template_id}'


def _read_ancestors(context, stack_id):
    """Return the rows of a stack and of the stacks around it, root last."""
    tree = stack_tree.select_ancestors(_stack, stack_id, _COLUMNS)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = {row.id: row for row in session.execute(
            sqlalchemy.select(tree))}
    ordered = []
    while stack_id in rows:
        ordered.append(rows.pop(stack_id))
        stack_id = ordered[-1].owner_id
    return ordered


def _in_progress_path(rows):
    return [*rows[:1], *itertools.takewhile(_is_in_progress, rows[1:])]


def _is_in_progress(row):
    return row.status == 'IN_PROGRESS' and row.action in ACTIONS
