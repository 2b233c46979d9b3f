# SPDX-License-Identifier: Apache-2.0

"""Record each engine that runs with heat-extras in a table.

Engines are recorded whatever features are enabled: a guard is effective only
if all engines of a cloud enforce it.
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

from heat_extras.db import db_time
from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras import version

LOG = logging.getLogger(__name__)

_engine = models.engine_table
_service = heat_models.Service.__table__


def record_engine(service):
    """Record that this engine runs with heat-extras.

    It is called when the engine reports to Heat's service table. Errors are
    only logged, because Heat's own report must follow.

    :param service: the heat.engine.service.EngineService.
    """
    try:
        _write_engine(service)
    except Exception as error:
        LOG.error('heat-extras: engine %(id)s could not record its features, '
                  'and tries again after [DEFAULT] periodic_interval: '
                  '%(error)s', {'id': service.engine_id, 'error': error})


@transactions.on_db_error
def _write_row(context, values):
    with db_api.context_manager.writer.independent.using(context) as session:
        changed = session.execute(
            sqlalchemy.update(_engine)
            .where(_engine.c.engine_id == values['engine_id'])
            .values(updated_at=db_time.now()))
        if not changed.rowcount:
            session.execute(sqlalchemy.insert(_engine).values(
                **values, updated_at=db_time.now()))
            _delete_dead_engines(session, values['engine_id'])


def _write_engine(service):
    try:
        _write_row(heat_context.RequestContext(is_admin=True), {
            'engine_id': service.engine_id,
            'host': service.host,
            'hostname': service.hostname,
            'version': version.installed(),
            'heat_version': heat_version.version_info.version_string(),
            'features': sorted(cfg.CONF.heat_extras.features),
            'created_at': timeutils.utcnow()})
    except db_exception.DBDuplicateEntry:
        LOG.debug('Engine %s is recorded already', service.engine_id)


def _delete_dead_engines(session, own_id):
    alive = sqlalchemy.select(_service.c.engine_id).where(
        _service.c.deleted_at.is_(None))
    for table in (_engine, models.freezes_table):
        session.execute(sqlalchemy.delete(table).where(
            table.c.engine_id.not_in(
                [own_id, *live_engines.MARKS.values()]),
            table.c.engine_id.not_in(alive)))


def has_engine_without_heat_extras(context):
    """Return whether a live engine runs without heat-extras."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return any(row.features is None
                   for row in live_engines.read_live(session))


def find_unresponsive(context, engine_ids):
    """Return the engines that do not answer.

    Call it outside of transactions, because an answer can take seconds.

    :param engine_ids: IDs of engines. None is ignored.
    :returns: a frozenset of IDs.
    """
    return frozenset(
        engine_id for engine_id in engine_ids if engine_id is not None
        and not service_utils.engine_alive(context, engine_id))


def find_down(context, engine_ids):
    """Return the engines that neither report nor answer.

    An engine that is only slow still works on its operations.

    :param engine_ids: IDs of engines. None is ignored.
    :returns: a frozenset of IDs.
    """
    silent = set(engine_ids) - {None}
    if silent:
        with db_api.context_manager.reader.independent.using(
                context) as session:
            silent -= {row.engine_id
                       for row in live_engines.read_live(session)}
    return find_unresponsive(context, silent)


def describe_engine(row):
    """Return the text that messages use for an engine.

    :param row: of :func:`heat_extras.db.live_engines.list_live`.
    """
    return f'{row.host} ({row.engine_id})'


def describe_engines_without(context, *features):
    """Describe the live engines that run without one of some features.

    :returns: a sorted list of ``host (engine ID)``.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = live_engines.read_live(session)
    return sorted(describe_engine(row) for row in rows
                  if not all(live_engines.has_feature(row, feature)
                             for feature in features))
