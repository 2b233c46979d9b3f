# SPDX-License-Identifier: Apache-2.0

"""The state of a stack before an update, stored until the next update.

A rollback is an update to the template that was stored before. It may undo
the changes of the failed update. Heat stores only the current state, so
these changes cannot be computed afterwards.
"""

import hashlib
import hmac

from heat.db import api as db_api
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_serialization import jsonutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries

# The kinds of rows. A stack has one row of each kind.
RESOURCES = 'resources'
# For the stack that a rollback was requested for: the update that it undoes.
ROLLED_BACK = 'rolled_back'
# For the stack that an update with a reviewed plan was requested for: see
# heat_extras.plan.reviewed_plan.
REVIEWED_PLAN = 'reviewed_plan'

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


@retries.on_db_error
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
