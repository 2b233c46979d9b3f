# SPDX-License-Identifier: Apache-2.0

"""Every engine or none: which engines of the cloud carry the lock."""

from heat.common import context as heat_context
from heat.common import service_utils
from heat.db import api as db_api
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.db import engines
from heat_extras.host import engines as host_engines
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import ledger
from heat_extras.stack_lock.protection import recovery
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)


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
    LOG.warning('Engine %(id)s stopped while it worked on the lock of '
                'stacks; those marked as failed: %(count)s',
                {'count': count, 'id': engine_id})
    # Of several engines that notice, one has marked them.
    for root_id in root_ids if count else ():
        # Not in the stack's group: it must not hold up its deletion.
        service.thread_group_mgr.start(
            f'recovery of {root_id}', recovery.settle, root_id)


def unguarded(context):
    """List the live engines that do not carry the lock.

    :returns: ``host (engine id)`` of each, sorted.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = engines.read_live(session)
    return sorted(host_engines.name(row) for row in rows
                  if not engines.carries_lock(row))


def check_all_guarded(context):
    """Refuse to lock while an engine would not honour it.

    :raises StackLockConflict: naming the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    found = unguarded(context)
    if found:
        raise errors.StackLockConflict(message=words.unguarded(found))


def check_all_can(context, capability, what):
    """Refuse what a live engine would not honour, or not understand.

    :param capability: one of :mod:`heat_extras.capabilities`.
    :param what: begins the sentence of the refusal.
    :raises StackLockConflict: naming the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    found = host_engines.lacking(context, capability)
    if found:
        raise errors.StackLockConflict(message=words.not_all_can(what, found))
