# SPDX-License-Identifier: Apache-2.0

"""Locks that nobody goes on with before they are complete, or lifted.

Their engine stopped, or it lives, and the thread that had them does not.
"""

from heat.common import context as heat_context
from heat.common import service_utils
from oslo_log import log as logging

from heat_extras.stack_lock import in_process_operations
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import reconcile
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)


def fail_lost(service):
    """Mark as failed what was left LOCK or UNLOCK_IN_PROGRESS.

    Called at every report, so within one ``periodic_interval``.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        for engine_id in lock_transaction.engines_at_work(context):
            if engine_id == service.engine_id:
                _fail_own(service, context)
            elif not service_utils.engine_alive(context, engine_id):
                _fail_work_of(service, context, engine_id)
    except Exception as error:
        LOG.error('heat-extras: locks that nobody goes on with could not be '
                  'looked for: %s', error)


def _fail_own(service, context):
    # In this order: one is in hand before its row tells of it.
    found = lock_transaction.work_of(context, service.engine_id)
    lost = {root_id: operation_id for root_id, operation_id in found.items()
            if not in_process_operations.is_held(operation_id)}
    if not lost:
        return
    count = lock_transaction.fail_work_of(context, service.engine_id,
                                          words.LOST,
                                          list(lost.values()))
    LOG.warning('This engine has begun to work on the lock of stacks, and '
                'none of its threads goes on; those marked as failed: %s',
                count)
    _recover(service, lost if count else ())


def _fail_work_of(service, context, engine_id):
    found = lock_transaction.work_of(context, engine_id)
    count = lock_transaction.fail_work_of(context, engine_id)
    LOG.warning('Engine %(id)s stopped while it worked on the lock of '
                'stacks; those marked as failed: %(count)s',
                {'count': count, 'id': engine_id})
    # Of several engines that notice, one has marked them.
    _recover(service, found if count else ())


def _recover(service, root_ids):
    for root_id in root_ids:
        # Not in the stack's group: it must not hold up its deletion.
        service.thread_group_mgr.start(
            f'recovery of {root_id}', reconcile.settle, root_id)
