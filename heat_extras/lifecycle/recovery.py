# SPDX-License-Identifier: Apache-2.0

"""Operations that were interrupted: the missing post calls, and the stack.

Their engine died, or only the thread that worked on them ended.
"""

import functools
import time

from heat.common import context as heat_context
from heat.common import service_utils
from heat.engine import stack as heat_stack
from heat.engine import template
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import charset
from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post

LOG = logging.getLogger(__name__)

# How often, and how far apart in seconds, a traversal without any engine at
# work must look lost: a message may be under way to one.
_LOOKS, _BETWEEN = 10, 1.0
# Where the engine that began it lives, it may not have triggered one yet: a
# deletion first waits 15 seconds for workers of what went before, those of
# dead engines, too (heat.engine.worker._wait_for_cancellation).
_LOOKS_AT_LIVING = 30
# Stack.mark_failed begins a rollback of these, if that is enabled.
_ROLLED_BACK = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')


def recover(service):
    """Look for operations that engines which died left behind.

    Called at every report, so within one ``periodic_interval``.
    """
    if not pre_post.has_plugins():
        return
    context = heat_context.RequestContext(is_admin=True)
    try:
        # Each engine is asked about once.
        alive = functools.cache(
            lambda engine_id: engine_id == service.engine_id
            or service_utils.engine_alive(context, engine_id))
        found = operation_table.list_all(context)
        in_process_operations.retain_only(
            {operation.id for operation in found})
        for operation in found:
            if _is_suspect(context, operation, alive):
                service.thread_group_mgr.start(
                    operation.stack_id, _settle, service, operation, alive)
    except Exception as error:
        LOG.error('heat-extras: the query for interrupted operations failed: '
                  '%s', error)


def _is_suspect(context, operation, alive):
    if _is_in_this_engine(operation):
        return not in_process_operations.record_of(operation.id).is_held
    if not operation.is_on_any_engine:
        return not alive(operation.engine_id)
    at_work = operation_table.engines_at_work(context, operation.stack_id)
    return (not all(alive(engine_id) for engine_id in at_work)
            or not (at_work or alive(operation.engine_id))
            or not _is_current(context, operation))


def _is_in_this_engine(operation):
    return (operation.engine_id == pre_post.engine_id()
            and not operation.is_on_any_engine)


def _row(context, operation):
    return stack_object.Stack.get_by_id(context, operation.stack_id,
                                        show_deleted=True, eager_load=False)


def _is_current(context, operation):
    row = _row(context, operation)
    return (row is not None and row.deleted_at is None
            and row.status == heat_stack.Stack.IN_PROGRESS
            and row.current_traversal == operation.traversal)


def _settle(service, operation, alive):
    # With a context of its own: the thread outlives the caller's.
    context = heat_context.RequestContext(is_admin=True)
    if (not _is_lost(context, operation, alive)
            or not in_process_operations.acquire(operation.id)):
        return
    try:
        # Those checks take seconds: it may be over by now.
        if operation in operation_table.list_all(context):
            LOG.warning('%(action)s of stack %(id)s, which engine %(engine)s '
                        'started, was interrupted',
                        {'action': operation.action, 'id': operation.stack_id,
                         'engine': operation.engine_id})
            _end(service, context, operation)
    finally:
        in_process_operations.release(operation.id)


def _is_lost(context, operation, alive):
    if not operation.is_on_any_engine:
        return True
    for _look in range(_LOOKS_AT_LIVING if alive(operation.engine_id)
                       else _LOOKS):
        at_work = operation_table.engines_at_work(context, operation.stack_id)
        if any(alive(engine_id) for engine_id in at_work):
            return False
        time.sleep(_BETWEEN)
    # What an engine held when it died shows it until a worker comes to it
    # and takes it over (heat.engine.check_resource.CheckResource), which in
    # the next operation may be last. So that alone says nothing.
    return (bool(at_work) or not alive(operation.engine_id)
            or not _is_current(context, operation))


def _end(service, context, operation):
    row = _row(context, operation)
    stack = _load(context, row, operation)
    failures = in_process_operations.record_of(operation.id).failures
    if _run_calls(stack, operation, row):
        if row is not None and row.deleted_at is None:
            _settle_stack(service, stack, operation, row, failures)
            _settle_snapshots(context, operation)
        # Last: when this engine dies, too, another one begins anew.
        pre_post.delete_row(stack, operation)


def _run_calls(stack, operation, row):
    if operation.phase in operation_table.NOT_BEGUN:
        return pre_post.abort(stack, operation)
    new_stack = stack if operation.action in (
        stack.UPDATE, stack.ROLLBACK, stack.RESTORE) else None
    return pre_post.run_post_calls(
        stack, operation, _is_failure(operation, row), new_stack) is not None


def _load(context, row, operation):
    if row is not None:
        is_deleted = row.deleted_at is not None
        try:
            # With the owner's trust, which a rollback needs.
            return heat_stack.Stack.load(context, stack=row,
                                         use_stored_context=not is_deleted)
        except Exception as error:
            if not is_deleted:
                LOG.warning('Stack %(id)s: its stored credentials cannot be '
                            'used: %(error)s', {'id': row.id, 'error': error})
                return heat_stack.Stack.load(context, stack=row)
    # Its template is not in the database any more, or not even its row
    # (heat-manage purge_deleted).
    return heat_stack.Stack(
        context, 'unknown', template.Template.create_empty_template(),
        stack_id=operation.stack_id, action=operation.action,
        status=heat_stack.Stack.FAILED, status_reason='the stack is gone',
        convergence=operation.traversal is not None)


def _is_failure(operation, row):
    if operation.action in (lock_callbacks.LOCK, lock_callbacks.UNLOCK):
        # Plugins are told when the lock is in force, or lifted, already.
        return operation.phase != operation_table.POST or operation.is_failure
    # A stack that is COMPLETE under the same traversal: only the end of the
    # post call was missed.
    if row is None:
        return operation.action != heat_stack.Stack.DELETE
    return not (row.status == heat_stack.Stack.COMPLETE
                and row.action == operation.action
                and operation.traversal in (None, row.current_traversal))


def _settle_stack(service, stack, operation, row, failures):
    # What this process has told already, and the stack does not show yet,
    # is what it is going to show.
    if row.status != stack.IN_PROGRESS or row.action != operation.action:
        return
    is_ours = operation.traversal in (None, row.current_traversal)
    if not is_ours and not _is_stored(stack, operation):
        # Something newer is at work by now.
        return
    if not stack.convergence:
        # Heat has a way for these, but goes it only when an engine starts.
        service.reset_stack_status()
        return
    stack.thread_group_mgr = service.thread_group_mgr
    if operation.phase in operation_table.NOT_BEGUN and is_ours:
        # A rollback of what has not begun would go to an empty template.
        convergence.fail_not_begun(stack, operation.action, _reason(operation))
    elif failures == [] and not operation.is_failure:
        stack.mark_complete()
        convergence.persist(stack)
    else:
        # Heat's own way of marking the others depends on its release, and so
        # does what the engine that began it has stored.
        fail = (stack.mark_failed if operation.action in _ROLLED_BACK
                else functools.partial(convergence.fail_not_begun, stack,
                                       operation.action))
        fail('; '.join(failures or ()) or _reason(operation))


def _settle_snapshots(context, operation):
    # Such a snapshot cannot be deleted (EngineService.delete_snapshot).
    if (operation.action != heat_stack.Stack.SNAPSHOT
            or _others(context, operation)):
        return
    operation_table.fail_snapshots(
        context, operation.stack_id, operation.traversal,
        charset.line(_reason(operation)))


def _others(context, operation):
    return [other for other in operation_table.list_all(context)
            if other.stack_id == operation.stack_id
            and other.id != operation.id]


def _is_stored(stack, operation):
    # Heat stores the new template under a traversal of its own choice, just
    # before that is noted. Whatever else is at work has a row, too.
    return operation.phase in operation_table.NOT_BEGUN and not _others(
        stack.context, operation)


def _reason(operation):
    if _is_in_this_engine(operation):
        return (f'Stack {operation.action} was interrupted, see the log of '
                'heat-engine')
    # As Heat says it.
    return f'Engine went down during stack {operation.action}'
