# SPDX-License-Identifier: Apache-2.0

"""Heat's limit of a stack's events, for those that are written in bulk.

heat.db.api.event_create deletes the oldest ones of a stack that has too many,
now and then. What does not go through it has to.
"""

import secrets

from heat.db import api as db_api
from heat.db import models
from oslo_config import cfg
import sqlalchemy

from heat_extras.db import retries

# As many as are written, twice, as heat.db.api.event_create: one that is over
# the limit comes down to it.
_DELETED_PER_EVENT = 2.0

_event = models.Event.__table__
_random = secrets.SystemRandom()


def keep(context, stack_ids, written):
    """Delete the oldest events of stacks that have more than they may.

    Only now and then: it is Heat's ``event_purge_batch_size`` at once.

    :param written: how many there are more of a stack.
    """
    batch = cfg.CONF.event_purge_batch_size
    if (cfg.CONF.max_events_per_stack
            and _random.random() < _DELETED_PER_EVENT * written / batch):
        _delete(context, stack_ids, batch)


@retries.on_db_error
def _delete(context, stack_ids, batch):
    with db_api.context_manager.writer.independent.using(context) as session:
        full = session.scalars(
            sqlalchemy.select(_event.c.stack_id)
            .where(_event.c.stack_id.in_(stack_ids))
            .group_by(_event.c.stack_id)
            .having(sqlalchemy.func.count(_event.c.id)
                    >= cfg.CONF.max_events_per_stack)).all()
        for stack_id in full:
            db_api._delete_event_rows(context, stack_id, batch)
