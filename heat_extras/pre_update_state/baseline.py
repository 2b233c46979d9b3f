# SPDX-License-Identifier: Apache-2.0

"""What was before an update, kept until the next one.

A rollback is an update to the template that was stored before. What it may
do is judged by this: it may undo what the failed update did, and that can't
be worked out afterwards, as Heat keeps what is, not what was.
"""

import hashlib
import hmac
import math

from heat.db import api as db_api
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_serialization import jsonutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries

# A row of each kind per stack.
RESOURCES = 'resources'
# Of the stack that an operation entered by: which update it rolls back.
ROLLED_BACK = 'rolled_back'

_table = models.baseline_table


def read(context, stack_id, kind, update):
    """Return what was kept when an update came to a stack, or None.

    :param update: the key of the update, see :mod:`current_update`.
    """
    row = _find(context, stack_id, kind)
    return row.data if row is not None and row.update_key == update else None


def record_once(context, stack_id, kind, update, make):
    """Keep what a stack is, unless that was kept for this update already.

    :param make: a function that returns what to keep.
    """
    row = _find(context, stack_id, kind)
    if row is None or row.update_key != update:
        _write(context, stack_id, kind, update, make())


def digest(value):
    """Return a keyed digest, which only shows whether two values differ.

    Numbers are compared by value: ``1`` equals ``1.0``, but not ``true``.
    """
    text = jsonutils.dumps(_plain(jsonutils.loads(jsonutils.dumps(value))),
                           sort_keys=True)
    return hmac.new(cfg.CONF.auth_encryption_key.encode(), text.encode(),
                    hashlib.sha256).hexdigest()[:32]


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if (isinstance(value, float) and math.isfinite(value)
            and value.is_integer()):
        return int(value)
    return value


def _find(context, stack_id, kind):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_table.c.update_key, _table.c.data)
            .where(*_key(stack_id, kind))).first()


@retries.on_db_error
def _write(context, stack_id, kind, update, data):
    values = {'update_key': update, 'data': data}
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            found = session.execute(
                sqlalchemy.update(_table).where(*_key(stack_id, kind))
                .values(**values)).rowcount
            if not found:
                session.execute(sqlalchemy.insert(_table).values(
                    stack_id=stack_id, kind=kind, **values))
    except db_exception.DBDuplicateEntry:
        # Another engine came to the same stack in the same update.
        return


def _key(stack_id, kind):
    return _table.c.stack_id == stack_id, _table.c.kind == kind
