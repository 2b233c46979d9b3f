# SPDX-License-Identifier: Apache-2.0

"""The update that a stack takes part in, and the state of the stack before it.

The stacks around a stack show its update. The action of a nested stack is
UPDATE also while its parent rolls back.

A rollback is an update to the template that was stored before. It may undo
the changes of the failed update. Heat stores only the current state, so
these changes cannot be computed afterwards. The state of a stack before an
update is stored until the next update.
"""

import dataclasses
import hashlib
import hmac
import itertools

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_serialization import jsonutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.db import tree_queries


# The kinds of rows. A stack has one row of each kind.
RESOURCES = 'resources'
# For the stack that a rollback was requested for: the update that it undoes.
ROLLED_BACK = 'rolled_back'
# For the stack that an update with a reviewed plan was requested for: see
# heat_extras.plan.reviewed_plan.
REVIEWED_PLAN = 'reviewed_plan'
# For a root whose tag an update removes: see heat_extras.stack_lock
# .delete_protection.protection_tag.
REMOVED_TAG = 'removed_tag'

_table = models.baseline_table


def read_state(context, stack_id, kind, update_key):
    """Return the state of a stack before an update, or None.

    :param kind: one of the kinds above.
    :param update_key: see :mod:`current_update`.
    """
    row = _find_row(context, stack_id, kind)
    return row.data if row and row.update_key == update_key else None


def record_once(context, stack_id, kind, update_key, get_state):
    """Store the state of a stack, unless it is stored for this update.

    :param kind: one of the kinds above.
    :param update_key: see :mod:`current_update`.
    :param get_state: a function that returns the state.
    """
    row = _find_row(context, stack_id, kind)
    if row is None or row.update_key != update_key:
        _write_row(context, stack_id, kind, update_key, get_state())


def compute_digest(value):
    """Return a keyed digest that only shows whether two values differ.

    Numbers are compared by value: ``1`` equals ``1.0``, but not ``true``.
    """
    plain = jsonutils.loads(jsonutils.dumps(value))
    text = jsonutils.dumps(_normalize_numbers(plain), sort_keys=True)
    return hmac.new(cfg.CONF.auth_encryption_key.encode(), text.encode(),
                    hashlib.sha256).hexdigest()[:32]


def _normalize_numbers(value):
    if isinstance(value, dict):
        return {key: _normalize_numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_normalize_numbers(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _find_row(context, stack_id, kind):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_table.c.update_key, _table.c.data)
            .where(*_row_key(stack_id, kind))).first()


@transactions.on_db_error
def _write_row(context, stack_id, kind, update_key, data):
    values = {'update_key': update_key, 'data': data}
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            updated = session.execute(
                sqlalchemy.update(_table).where(*_row_key(stack_id, kind))
                .values(**values)).rowcount
            if not updated:
                session.execute(sqlalchemy.insert(_table).values(
                    stack_id=stack_id, kind=kind, **values))
    except db_exception.DBDuplicateEntry:
        # Another engine has written the row for the same update.
        return


def _row_key(stack_id, kind):
    return _table.c.stack_id == stack_id, _table.c.kind == kind


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
        key = read_state(context, requested.id,
                         ROLLED_BACK, key) or key
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
    tree = tree_queries.select_ancestors(_stack, stack_id, _COLUMNS)
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
