# SPDX-License-Identifier: Apache-2.0

"""Increment the counters of :mod:`counters`, in an engine.

They are written in a transaction of their own, outside of Heat's
transactions.
"""

from heat.db import api as db_api
from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import transactions

LOG = logging.getLogger(__name__)

_counter = models.counter_table


def count_event(stack_id, event, operation, context=None):
    """Count one event. Errors are only logged.

    :param event: an event of :mod:`counters`.
    :param context: the context of the request, or None for the context of this
        thread.
    """
    try:
        _count_in_transaction(context or oslo_context.get_current(), stack_id,
                              event, operation)
    except Exception as failure:
        LOG.warning('The counter of "%(event)s" for %(operation)s of stack '
                    '%(id)s could not be increased: %(error)s', {
                        'event': event, 'operation': operation,
                        'id': stack_id, 'error': failure})


@transactions.on_db_error
def _count_in_transaction(context, stack_id, event, operation):
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            increment(session, stack_id, event, operation)
    except db_exception.DBDuplicateEntry as error:
        # Another engine inserted the row at the same time.
        raise db_exception.DBDeadlock() from error


def increment(session, stack_id, event, operation):
    """Increment a counter in the transaction of the caller."""
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
