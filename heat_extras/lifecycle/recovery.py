# SPDX-License-Identifier: Apache-2.0

"""Make the post calls of interrupted operations, and end these operations.

Their engine died, or the thread that worked on them ended.
"""

import functools
import time

from heat.common import context as heat_context
from heat.engine import stack as heat_stack
from heat.engine import template
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import charset
from heat_extras.heat_internals import lock_callbacks
from heat_extras import left_operations
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post

LOG = logging.getLogger(__name__)

# A traversal is lost if no engine works on it in so many checks, at this
# interval in seconds. A message to an engine can be in the queue.
_CHECKS, _CHECK_INTERVAL = 10, 1.0
# If the engine that started the traversal is live, it may not have sent a
# message yet: a deletion first waits 15 seconds for the workers of the
# previous operation, also for those of dead engines
# (heat.engine.worker._wait_for_cancellation).
_CHECKS_OF_LIVE_ENGINE = 30
# Stack.mark_failed starts a rollback of these actions, if that is enabled.
_ROLLED_BACK = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')


def recover_operations(sweep):
    """Find and end the operations of engines that died.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    if not pre_post.has_plugins():
        return
    operations = operation_table.list_operations(sweep.context)
    left_operations.retain_only(
        {operation.id for operation in operations})
    for operation in operations:
        if _is_suspect(sweep, operation):
            sweep.service.thread_group_mgr.start(
                operation.stack_id, _recover_in_thread, sweep.service,
                operation, sweep.is_alive)


def _is_suspect(sweep, operation):
    if not operation.is_on_any_engine:
        return sweep.is_lost(operation.engine_id, operation.id)
    at_work = operation_table.list_working_engines(sweep.context,
                                                   operation.stack_id)
    return (not all(map(sweep.is_alive, at_work))
            or not (at_work or sweep.is_alive(operation.engine_id))
            or not _is_current(sweep.context, operation))


def _belongs_to_this_engine(operation):
    return (operation.engine_id == pre_post.get_engine_id()
            and not operation.is_on_any_engine)


def _read_row(context, operation):
    return stack_object.Stack.get_by_id(context, operation.stack_id,
                                        show_deleted=True, eager_load=False)


def _is_current(context, operation):
    row = _read_row(context, operation)
    return (row is not None and row.deleted_at is None
            and row.status == heat_stack.Stack.IN_PROGRESS
            and row.current_traversal == operation.traversal)


def _recover_in_thread(service, operation, is_alive):
    # A new context, because the thread outlives the caller's context.
    context = heat_context.RequestContext(is_admin=True)
    if (not _is_lost(context, operation, is_alive)
            or not left_operations.acquire(operation.id)):
        return
    try:
        # The checks take seconds, and the operation may have ended.
        if operation in operation_table.list_operations(context):
            LOG.warning('%(action)s of stack %(id)s, which engine %(engine)s '
                        'started, was interrupted',
                        {'action': operation.action, 'id': operation.stack_id,
                         'engine': operation.engine_id})
            _end_operation(service, context, operation)
    finally:
        left_operations.release(operation.id)


def _is_lost(context, operation, is_alive):
    if not operation.is_on_any_engine:
        return True
    for _check in range(_CHECKS_OF_LIVE_ENGINE
                        if is_alive(operation.engine_id) else _CHECKS):
        at_work = operation_table.list_working_engines(context,
                                                       operation.stack_id)
        if any(is_alive(engine_id) for engine_id in at_work):
            return False
        time.sleep(_CHECK_INTERVAL)
    # A resource keeps the ID of a dead engine until a worker takes it over
    # (heat.engine.check_resource.CheckResource). In the next operation, this
    # can be the last resource, so the ID alone is no evidence.
    return (bool(at_work) or not is_alive(operation.engine_id)
            or not _is_current(context, operation))


def _end_operation(service, context, operation):
    row = _read_row(context, operation)
    stack = _load_stack(context, row, operation)
    failures = left_operations.get_record(operation.id).failures
    if _run_calls(stack, operation, row):
        if row is not None and row.deleted_at is None:
            _end_stack(service, stack, operation, row, failures)
            _fail_snapshots(context, operation)
        # At the end: if this engine dies, another engine starts again.
        pre_post.delete_row(stack, operation)


def _run_calls(stack, operation, row):
    if operation.phase in operation_table.NOT_BEGUN:
        return pre_post.abort_operation(stack, operation)
    new_stack = stack if operation.action in (
        stack.UPDATE, stack.ROLLBACK, stack.RESTORE) else None
    return pre_post.run_post_calls(
        stack, operation, _is_failure(operation, row), new_stack) is not None


def _load_stack(context, row, operation):
    if row is not None:
        is_deleted = row.deleted_at is not None
        try:
            # A rollback needs the trust of the owner.
            return heat_stack.Stack.load(context, stack=row,
                                         use_stored_context=not is_deleted)
        except Exception as error:
            if not is_deleted:
                LOG.warning('Stack %(id)s: its stored credentials cannot be '
                            'used: %(error)s', {'id': row.id, 'error': error})
                return heat_stack.Stack.load(context, stack=row)
    # The template or the row of the stack is not in the database any more
    # (heat-manage purge_deleted).
    return heat_stack.Stack(
        context, 'unknown', template.Template.create_empty_template(),
        stack_id=operation.stack_id, action=operation.action,
        status=heat_stack.Stack.FAILED, status_reason='the stack was deleted',
        convergence=operation.traversal is not None)


def _is_failure(operation, row):
    if operation.action in (lock_callbacks.LOCK, lock_callbacks.UNLOCK):
        # Post calls are made after the lock or unlock has taken effect.
        return operation.phase != operation_table.POST or operation.is_failure
    # If the stack is COMPLETE with the same traversal, only the post calls
    # were interrupted.
    if row is None:
        return operation.action != heat_stack.Stack.DELETE
    return not (row.status == heat_stack.Stack.COMPLETE
                and row.action == operation.action
                and operation.traversal in (None, row.current_traversal))


def _end_stack(service, stack, operation, row, failures):
    # If this process has made the post calls, their result decides about the
    # status of the stack.
    if row.status != stack.IN_PROGRESS or row.action != operation.action:
        return
    is_ours = operation.traversal in (None, row.current_traversal)
    if not is_ours and not _is_stored(stack, operation):
        # A newer operation is in progress.
        return
    if not stack.convergence:
        # Heat itself calls this only when an engine starts.
        service.reset_stack_status()
        return
    stack.thread_group_mgr = service.thread_group_mgr
    if operation.phase in operation_table.NOT_BEGUN and is_ours:
        # A rollback of an operation that has not started would use an empty
        # template.
        convergence.fail_not_begun(stack, operation.action,
                                   _failure_reason(operation))
    elif failures == [] and not operation.is_failure:
        stack.mark_complete()
        convergence.persist_deferred_state(stack)
    else:
        # For other actions, mark_failed depends on the release of Heat and on
        # the data that the engine has stored.
        fail = (stack.mark_failed if operation.action in _ROLLED_BACK
                else functools.partial(convergence.fail_not_begun, stack,
                                       operation.action))
        fail('; '.join(failures or ()) or _failure_reason(operation))


def _fail_snapshots(context, operation):
    # Such a snapshot cannot be deleted (EngineService.delete_snapshot).
    if (operation.action != heat_stack.Stack.SNAPSHOT
            or _other_operations(context, operation)):
        return
    operation_table.fail_snapshots(
        context, operation.stack_id, operation.traversal,
        charset.storable_line(_failure_reason(operation)))


def _other_operations(context, operation):
    return [other for other in operation_table.list_operations(context)
            if other.stack_id == operation.stack_id
            and other.id != operation.id]


def _is_stored(stack, operation):
    # Heat stores the new template with a traversal of its own, just before the
    # traversal is recorded. Any other operation in progress has a row.
    return (operation.phase in operation_table.NOT_BEGUN
            and not _other_operations(stack.context, operation))


def _failure_reason(operation):
    if _belongs_to_this_engine(operation):
        return (f'Stack {operation.action} was interrupted, see the log of '
                'heat-engine')
    # The same text as in Heat.
    return f'Engine went down during stack {operation.action}'
