# SPDX-License-Identifier: Apache-2.0

"""Every engine that carries the extension says so in a table of ours.

Whatever its features are: what guards a stack is a promise about all engines
of a cloud. With that it tells its capabilities, so that what is new is not
promised while an engine of an older release is there.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from heat import version as heat_version
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras import activation
from heat_extras.db import engines
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras import version

LOG = logging.getLogger(__name__)

_engine = models.engine_table
_capability = models.capability_table
_service = heat_models.Service.__table__


def report(service):
    """Record that this engine carries the extension.

    Called when the engine reports to Heat's own service table. A database
    that is away is no reason to stop: Heat's own report goes on too.
    """
    try:
        _record(service)
    except Exception as error:
        LOG.error('heat-extras: engine %(id)s could not be recorded: '
                  '%(error)s', {'id': service.engine_id, 'error': error})


@retries.on_db_error
def _write(context, values, capabilities):
    with db_api.context_manager.writer.independent.using(context) as session:
        changed = session.execute(
            sqlalchemy.update(_engine)
            .where(_engine.c.engine_id == values['engine_id'])
            .values(updated_at=values['updated_at']))
        if not changed.rowcount:
            session.execute(sqlalchemy.insert(_engine).values(**values))
            _forget_gone(session, values['engine_id'])
        _tell(session, values['engine_id'], capabilities)


def _tell(session, engine_id, capabilities):
    # Each time, for the one table may be there, and not the other: dropped
    # and made anew by a migration, or an engine of a release that knows only
    # the other has forgotten this engine while it stood still.
    told = set(session.scalars(
        sqlalchemy.select(_capability.c.capability)
        .where(_capability.c.engine_id == engine_id)))
    new = [{'engine_id': engine_id, 'capability': name}
           for name in capabilities if name not in told]
    if new:
        session.execute(sqlalchemy.insert(_capability), new)


def _record(service):
    now = timeutils.utcnow()
    try:
        _write(heat_context.RequestContext(is_admin=True), {
            'engine_id': service.engine_id,
            'host': service.host,
            'hostname': service.hostname,
            'version': version.installed(),
            'heat_version': heat_version.version_info.version_string(),
            'features': sorted(cfg.CONF.heat_extras.features),
            'created_at': now,
            'updated_at': now}, activation.capabilities())
    except db_exception.DBDuplicateEntry:
        LOG.debug('Engine %s is recorded already', service.engine_id)


def _forget_gone(session, own_id):
    alive = sqlalchemy.select(_service.c.engine_id).where(
        _service.c.deleted_at.is_(None))
    for table in (_engine, _capability, models.freezes_table):
        session.execute(sqlalchemy.delete(table).where(
            table.c.engine_id != own_id,
            table.c.engine_id.not_in(alive)))


def lacking(context, capability):
    """List the live engines that cannot do something.

    Those of an older release, without heat-extras, or without the feature.

    :param capability: one of :mod:`heat_extras.capabilities`.
    :returns: ``host (engine id)`` of each, sorted.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        capable = engines.capable(session, capability)
        rows = engines.read_live(session)
    return sorted(name(row) for row in rows if row.engine_id not in capable)


def name(row):
    """Name an engine of :func:`heat_extras.db.engines.live` to people."""
    return f'{row.host} ({row.engine_id})'
