# SPDX-License-Identifier: Apache-2.0

"""The update that a stack takes part in: the root decides, not the stack.

Heat updates a nested stack for its parent, and so the nested stack's own
action says UPDATE while the stack around it rolls back.
"""

import dataclasses

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import stack_tree
from heat_extras.pre_update_state import baseline

UPDATE, ROLLBACK, RESTORE = 'UPDATE', 'ROLLBACK', 'RESTORE'
ACTIONS = (UPDATE, ROLLBACK, RESTORE)

_stack = heat_models.Stack.__table__
_COLUMNS = ('id', 'owner_id', 'action', 'status', 'convergence',
            'current_traversal', 'prev_raw_template_id')


@dataclasses.dataclass(frozen=True)
class CurrentUpdate:
    """An update of a tree, or the rollback of one.

    :param action: UPDATE, ROLLBACK or RESTORE.
    :param key: of the update: a rollback has the key of the update that it
        rolls back.
    :param is_in_progress: False for a stack without an operation in progress.
    """

    action: str
    key: str
    is_in_progress: bool = True

    @property
    def is_rollback(self):
        return self.action == ROLLBACK


def find(context, stack_id):
    """Find the update that a stack takes part in.

    It entered by the stack itself, or by one around it that is being worked
    on without a gap between them.

    :returns: a :class:`CurrentUpdate`; for a stack that is not in the
        database an UPDATE that is not in progress.
    """
    reached = _reached(_upwards(context, stack_id))
    if not reached:
        return CurrentUpdate(UPDATE, '', is_in_progress=False)
    entry = reached[-1]
    actions = {row.action for row in reached if _is_in_progress(row)}
    action = next((each for each in (ROLLBACK, RESTORE) if each in actions),
                  UPDATE)
    key = key_of(entry)
    if action == ROLLBACK:
        key = baseline.read(context, entry.id, baseline.ROLLED_BACK,
                            key) or key
    return CurrentUpdate(action, key, is_in_progress=bool(actions))


def key_of(stack):
    """Return what distinguishes an update, or a rollback, from every other.

    :param stack: a heat.engine.stack.Stack or a row of one, in progress.
    """
    if stack.convergence:
        return stack.current_traversal or ''
    # Stack.update_task stores a copy of the new template for each.
    return f'template {stack.prev_raw_template_id}'


def _upwards(context, stack_id):
    """Return the rows of a stack and those around it, root last."""
    tree = stack_tree.around(_stack, stack_id, _COLUMNS)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = {row.id: row for row in session.execute(
            sqlalchemy.select(tree))}
    ordered = []
    while stack_id in rows:
        ordered.append(rows.pop(stack_id))
        stack_id = ordered[-1].owner_id
    return ordered


def _reached(rows):
    reached = rows[:1]
    for row in rows[1:]:
        if not _is_in_progress(row):
            break
        reached.append(row)
    return reached


def _is_in_progress(row):
    return row.status == 'IN_PROGRESS' and row.action in ACTIONS
