# SPDX-License-Identifier: Apache-2.0

"""Apply Heat's limit of events per stack to events that are written in bulk.

heat.db.api.event_create sometimes deletes the oldest events of a stack that
has too many. Bulk inserts do not call it.
"""

import secrets

from heat.db import api as db_api
from heat.db import models
from oslo_config import cfg
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import retries

LOG = logging.getLogger(__name__)

# The same as in heat.db.api.event_create: twice as many as are written, so
# that a stack with too many events gets back to the limit.
_DELETED_PER_EVENT = 2.0

_event = models.Event.__table__
_random = secrets.SystemRandom()


def purge_old_events(context, stack_ids, written):
    """Sometimes delete the oldest events of stacks that have too many.

    One call deletes ``event_purge_batch_size`` events of a stack, or as many
    as were written if that is more. After an error, a later call deletes
    them.

    :param written: the maximum number of events that were written for one
        stack.
    """
    batch = max(cfg.CONF.event_purge_batch_size, written)
    if (cfg.CONF.max_events_per_stack
            and _random.random() < _DELETED_PER_EVENT * written / batch):
        try:
            _delete_oldest(context, stack_ids, batch)
        except Exception:
            LOG.exception('Old events of stacks could not be deleted')


@retries.on_db_error
def _delete_oldest(context, stack_ids, batch):
    with db_api.context_manager.writer.independent.using(context) as session:
        full = session.scalars(
            sqlalchemy.select(_event.c.stack_id)
            .where(_event.c.stack_id.in_(stack_ids))
            .group_by(_event.c.stack_id)
            .having(sqlalchemy.func.count(_event.c.id)
                    >= cfg.CONF.max_events_per_stack)).all()
        for stack_id in full:
            db_api._delete_event_rows(context, stack_id, batch)
