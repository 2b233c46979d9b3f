# SPDX-License-Identifier: Apache-2.0

"""Locks whose engine stopped before they were complete, or lifted."""

from heat.common import context as heat_context
from heat.common import service_utils
from oslo_log import log as logging

from heat_extras.stack_lock import ledger
from heat_extras.stack_lock.protection import recovery

LOG = logging.getLogger(__name__)


def fail_lost(service):
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
