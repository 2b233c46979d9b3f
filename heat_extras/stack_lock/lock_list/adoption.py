# SPDX-License-Identifier: Apache-2.0

"""Locks that engines of an older release have set get ids.

And those whose entry in the register is gone get it back, and entries whose
lock such an engine has lifted go.
"""

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import interlude
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock.lock_list import register
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import tree

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__


def adopt(context):
    """Enter the locks of all roots that the register does not have."""
    with db_api.context_manager.reader.independent.using(context) as session:
        found = interlude.unregistered(session)
        over = interlude.registered_in_vain(session)
    if over:
        _forget(context, over)
    adopted = sum(_adopt(context, row.id) for row in found)
    if adopted:
        LOG.warning('Locks without an id, or not in the register, from an '
                    'engine of an older release, that have one now: %s',
                    adopted)


@retries.on_db_error
def _forget(context, ids):
    with lock_transaction.transaction(context) as session:
        register.forget(session, ids)


@retries.on_db_error
def _adopt(context, root_id):
    with lock_transaction.transaction(context) as session:
        rows = tree.stacks(session, tree.stack_ids(session, root_id))
        root = rows.get(root_id)
        if root is None or not lock_record.Lock.from_row(root).is_locked:
            return False
        lock_id = lock_record.Lock.from_row(root).id
        if register.has(session, root_id, lock_id):
            # Another engine was here, or somebody has locked anew.
            return False
        session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_(list(rows)), models.held(_stack))
            .values(lock_id=register.enter(
                session, root, lock_id,
                is_passing=root.lock_passing is not None),
                    lock_id_at=_stack.c.locked_at))
    return True
