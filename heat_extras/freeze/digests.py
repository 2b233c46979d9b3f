# SPDX-License-Identifier: Apache-2.0

"""Each engine tells which windows are in force in it.

So that ``heat-extras-status upgrade check`` finds engines that differ.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.freeze import in_force
from heat_extras.freeze import standing

LOG = logging.getLogger(__name__)

_freezes = models.freezes_table


def report(service):
    """Record what this engine has in force.

    Called when it reports to Heat's own service table, which goes on while
    the database is away.
    """
    holder = in_force.current()
    if holder is None:
        return
    try:
        # Also where nothing is asked of this engine.
        context = heat_context.RequestContext(is_admin=True)
        standing.windows(context)
        _write(context, service.engine_id, holder.digest, holder.refused)
    except Exception as error:
        LOG.error('heat-extras: the freezes of engine %(id)s could not be '
                  'recorded: %(error)s', {'id': service.engine_id,
                                          'error': error})


@retries.on_db_error
def _write(context, engine_id, digest, refused):
    own = _freezes.c.engine_id == engine_id
    with db_api.context_manager.writer.independent.using(context) as session:
        told = session.execute(sqlalchemy.select(_freezes).where(own)).first()
        now = {'digest': digest, 'refused': refused}
        if told is None:
            session.execute(sqlalchemy.insert(_freezes).values(
                engine_id=engine_id, **now))
        elif (told.digest, told.refused) != (digest, refused):
            session.execute(sqlalchemy.update(_freezes).where(own).values(
                **now))
