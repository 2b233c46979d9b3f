# SPDX-License-Identifier: Apache-2.0

"""Passes that nobody used in time: forgotten, and counted.

They let nobody through from their end on, whether this has run or not.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock import events
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock.lock_pass import words
from heat_extras.stack_lock import lock_transaction

LOG = logging.getLogger(__name__)

_lock = models.lock_table
_stack = heat_models.Stack.__table__


def forget_due():
    """Forget the passes whose end has come.

    Called at every report of an engine; it reads the register alone while
    there is none.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        for entry in _due(context):
            _forget(context, entry)
    except Exception as error:
        LOG.error('heat-extras: passes whose end has come could not be '
                  'forgotten: %s', error)


def _due(context):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_lock.c.id, _lock.c.stack_id,
                              _lock.c.pass_granted_at)
            .where(_lock.c.pass_expires_at <= db_time.now(),
                   _lock.c.pass_used_at.is_(None))).all()


@retries.on_db_error
def _forget(context, entry):
    with lock_transaction.transaction(context) as session:
        # The root first, as everybody does who writes of a pass.
        root = session.execute(
            sqlalchemy.select(_stack).where(_stack.c.id == entry.stack_id)
            .with_for_update()).first()
        if root is None or not record.clear(session, entry.id, (
                _lock.c.pass_granted_at == entry.pass_granted_at,
                _lock.c.pass_expires_at <= db_time.now(),
                _lock.c.pass_used_at.is_(None))):
            return
        counting.add(session, root.id, counters.PASS, counters.EXPIRED)
        events.tell(session, root, words.EXPIRED)
