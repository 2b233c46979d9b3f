# SPDX-License-Identifier: Apache-2.0

"""Every engine that carries the extension says so in a table of ours.

Whatever its features are: what guards a stack is a promise about all engines
of a cloud.
"""

from heat.common import context as heat_context
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat import version as heat_version
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras import version

LOG = logging.getLogger(__name__)

_engine = models.engine_table
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
def _write(context, values):
    with db_api.context_manager.writer.independent.using(context) as session:
        changed = session.execute(
            sqlalchemy.update(_engine)
            .where(_engine.c.engine_id == values['engine_id'])
            .values(updated_at=values['updated_at']))
        if not changed.rowcount:
            session.execute(sqlalchemy.insert(_engine).values(**values))
            _forget_gone(session, values['engine_id'])


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
            'updated_at': now})
    except db_exception.DBDuplicateEntry:
        LOG.debug('Engine %s is recorded already', service.engine_id)


def _forget_gone(session, own_id):
    alive = sqlalchemy.select(_service.c.engine_id).where(
        _service.c.deleted_at.is_(None))
    for table in (_engine, models.freezes_table):
        session.execute(sqlalchemy.delete(table).where(
            table.c.engine_id.not_in(
                [own_id, live_engines.WITHOUT_POLICY]),
            table.c.engine_id.not_in(alive)))


def is_bare_alive(context):
    """Return whether a live engine runs without heat-extras."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return any(row.features is None
                   for row in live_engines.read_live(session))


def find_unresponsive(context, engine_ids):
    """Return which of some engines do not answer.

    Called outside of transactions: an answer can take seconds.

    :param engine_ids: their IDs; None is no engine.
    :returns: a frozenset of IDs.
    """
    return frozenset(
        engine_id for engine_id in engine_ids if engine_id is not None
        and not service_utils.engine_alive(context, engine_id))


def find_down(context, engine_ids):
    """Return which of some engines neither report nor answer.

    One that is only slow still works on what it has begun.

    :returns: as :func:`find_unresponsive`.
    """
    found = set(engine_ids) - {None}
    if found:
        with db_api.context_manager.reader.independent.using(
                context) as session:
            found -= {row.engine_id
                      for row in live_engines.read_live(session)}
    return find_unresponsive(context, found)


def name(row):
    """Name an engine of :func:`heat_extras.db.live_engines.live` to people."""
    return f'{row.host} ({row.engine_id})'
