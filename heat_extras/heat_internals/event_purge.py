# SPDX-License-Identifier: Apache-2.0

"""Heat's limit of a stack's events, for those that are written in bulk.

heat.db.api.event_create deletes the oldest ones of a stack that has too many,
now and then. What does not go through it has to.
"""

import secrets

from heat.db import api as db_api
from heat.db import models
from oslo_config import cfg
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import retries

LOG = logging.getLogger(__name__)

# As many as are written, twice, as heat.db.api.event_create: one that is over
# the limit comes down to it.
_DELETED_PER_EVENT = 2.0

_event = models.Event.__table__
_random = secrets.SystemRandom()


def keep(context, stack_ids, written):
    """Delete the oldest events of stacks that have more than they may.

    Only now and then: it is Heat's ``event_purge_batch_size`` at once, or what
    was written. What could not be deleted is left to the next time.

    :param written: how many there are more of a stack, at most.
    """
    batch = max(cfg.CONF.event_purge_batch_size, written)
    if (cfg.CONF.max_events_per_stack
            and _random.random() < _DELETED_PER_EVENT * written / batch):
        try:
            _delete(context, stack_ids, batch)
        except Exception:
            LOG.exception('Old events of stacks could not be deleted')


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
