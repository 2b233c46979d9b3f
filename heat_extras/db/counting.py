# SPDX-License-Identifier: Apache-2.0

"""Count what happened to stacks, from an engine; see :mod:`counters`.

The counts live in a table of ours, and are written when no transaction of
Heat's is open. A stack to which nothing happens never comes here.
"""

from heat.db import api as db_api
from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries

LOG = logging.getLogger(__name__)

_counter = models.counter_table


def count(stack_id, event, operation, context=None):
    """Count one event; a database that is away changes no answer.

    :param event: one of those in :mod:`counters`.
    :param context: of the request; None for that of this thread.
    """
    try:
        _count(context or oslo_context.get_current(), stack_id, event,
               operation)
    except Exception as failure:
        LOG.warning('"%(event)s" of %(operation)s of stack %(id)s could not '
                    'be counted: %(error)s', {
                        'event': event, 'operation': operation,
                        'id': stack_id, 'error': failure})


@retries.on_db_error
def _count(context, stack_id, event, operation):
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            add(session, stack_id, event, operation)
    except db_exception.DBDuplicateEntry as error:
        # Another engine counted the first one at the same moment.
        raise db_exception.DBDeadlock() from error


def add(session, stack_id, event, operation):
    """Add one to a counter, in the transaction of the caller."""
    now = timeutils.utcnow()
    counted = session.execute(
        sqlalchemy.update(_counter)
        .where(_counter.c.stack_id == stack_id, _counter.c.event == event,
               _counter.c.operation == operation)
        .values(count=_counter.c.count + 1, last_at=now))
    if not counted.rowcount:
        session.execute(sqlalchemy.insert(_counter).values(
            stack_id=stack_id, event=event, operation=operation, count=1,
            first_at=now, last_at=now))
