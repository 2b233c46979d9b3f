# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Every engine or none: which engines of the cloud carry the lock."""

from heat.common import context as heat_context
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat import version as heat_version
from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import pbr.version
import sqlalchemy

from heat_extras.db import engines
from heat_extras.db import models
from heat_extras.stack_lock import exception
from heat_extras.stack_lock import ledger
from heat_extras.stack_lock.protection import recovery

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


def recover(service):
    """Mark as failed what engines that died left LOCK or UNLOCK_IN_PROGRESS.

    Called at every report, so within one ``periodic_interval``.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        at_work = ledger.engines_at_work(context) - {service.engine_id}
        for engine_id in at_work:
            if not service_utils.engine_alive(context, engine_id):
                _fail_work_of(service, context, engine_id)
    except Exception as error:
        LOG.error('heat-extras: locks of engines that stopped could not be '
                  'looked for: %s', error)


def _fail_work_of(service, context, engine_id):
    root_ids = ledger.roots_of(context, engine_id)
    count = ledger.fail_work_of(context, engine_id)
    LOG.warning('%(count)s stacks marked as failed: engine %(id)s stopped '
                'while it worked on their lock',
                {'count': count, 'id': engine_id})
    # Of several engines that notice, one has marked them.
    for root_id in root_ids if count else ():
        # Not in the stack's group: it must not hold up its deletion.
        service.thread_group_mgr.start(
            f'recovery of {root_id}', recovery.settle, root_id)


@db_api.retry_on_db_error
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
            'version': pbr.version.VersionInfo(
                'heat-extras').version_string(),
            'heat_version': heat_version.version_info.version_string(),
            'features': sorted(cfg.CONF.heat_extras.features),
            'created_at': now,
            'updated_at': now})
    except db_exception.DBDuplicateEntry:
        LOG.debug('Engine %s is recorded already', service.engine_id)


def _forget_gone(session, own_id):
    alive = sqlalchemy.select(_service.c.engine_id).where(
        _service.c.deleted_at.is_(None))
    session.execute(sqlalchemy.delete(_engine).where(
        _engine.c.engine_id != own_id,
        _engine.c.engine_id.not_in(alive)))


def unguarded(context):
    """List the live engines that do not carry the lock.

    :returns: ``host (engine id)`` of each, sorted.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = engines.read_live(session)
    return sorted(f'{row.host} ({row.engine_id})' for row in rows
                  if not engines.carries_lock(row))


def check_all_guarded(context):
    """Refuse to lock while an engine would not honour it.

    :raises StackLockConflict: naming the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    found = unguarded(context)
    if found:
        raise exception.StackLockConflict(
            message='No stack can be locked now: these engines of the cloud '
                    f'run without heat-extras and would not honour a lock: '
                    f'{", ".join(found)}. Enable stack_lock in [heat_extras] '
                    'features there and restart them, or stop them; the '
                    'option allow_unguarded_engines overrides this.')
