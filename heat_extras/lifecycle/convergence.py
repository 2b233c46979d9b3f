# SPDX-License-Identifier: Apache-2.0

"""Operations on the convergence engine, which any engine can end.

When the caller gets the response, the stack is IN_PROGRESS with a new
traversal. The pre calls are made in a thread of the stack. Heat stores the new
template and continues only if all plugins allow the operation.
"""

import contextlib
import dataclasses
import functools

from heat.common import exception
from heat.engine import sync_point
from heat.objects import stack as stack_object
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils

from heat_extras.db import charset
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import object_data
from heat_extras import left_operations
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import runner

LOG = logging.getLogger(__name__)


def may_begin(stack):
    """Return whether the new traversal of a stack may trigger resources.

    It may not if another operation has started during the pre calls.
    """
    return (object_data.of_stack(stack).lifecycle.allowed is None
            or set_running(stack))


def start_operation(stack, start):
    """Start an operation as Stack.converge_stack does, after the pre calls.

    :param start: a :class:`heat_extras.guard.Start`.
    """
    original, template, action = start.original, start.template, start.action
    new_stack, options = start.new_stack, start.options
    previous = stack.current_traversal
    state_before = {
        'action': stack.action, 'status': stack.status, 'state': stack.state,
        'status_reason': stack.status_reason}
    asked = object_data.of_stack(stack).lifecycle.take('asked')
    operation = _mark_in_progress(
        stack, action, options.get('new_traversal_id'), asked)
    if operation is None:
        if asked is not None and options.get('abandon'):
            # Otherwise the caller would get the data of the stack.
            raise exception.ActionInProgress(stack_name=stack.name,
                                             action=stack.action)
        return
    run_heat = functools.partial(original, template, action=action,
                                 new_stack=new_stack, **options)
    run_pre_calls = None if asked is not None else functools.partial(
        _run_pre_calls, stack, operation, state_before,
        functools.partial(_make_planned_stack, stack, template, action,
                          new_stack))
    with _fail_on_error(stack, operation):
        sync_point.delete_all(stack.context, stack.id, previous)
        stack.thread_group_mgr.start(stack.id, _run_in_thread, stack,
                                     operation, previous, run_pre_calls,
                                     run_heat)


def _mark_in_progress(stack, action, traversal, asked):
    # As Stack.converge_stack does, but with the current template. The row of
    # the operation is written first, so that other engines can find out that
    # the pre calls are still in progress: see has_not_begun().
    previous = stack.current_traversal
    traversal = traversal or uuidutils.generate_uuid()
    operation = _create_operation(stack, action, traversal, asked)
    has_failed = stack.status == stack.FAILED
    if action != stack.CREATE:
        stack.updated_time = timeutils.utcnow()
    stack.action, stack.status = action, stack.IN_PROGRESS
    stack.status_reason = f'Stack {action} started'
    stack.current_traversal = traversal
    with _fail_on_error(stack, operation):
        if has_failed and previous:
            previous = _clear_failed_traversal(stack, operation, previous)
        if stack.store(exp_trvsl=previous) is not None:
            return operation
    with pre_post.always_delete_row(stack, operation):
        if asked is not None:
            pre_post.abort_operation(stack, operation)
    LOG.warning('The %(action)s of stack %(name)s (%(id)s) is not started, '
                'because the stack was changed by another operation',
                {'name': stack.name, 'id': stack.id, 'action': action})
    return None


def _clear_failed_traversal(stack, operation, traversal):
    """Clear the traversal of a FAILED stack, unless it has changed.

    Heat shows a stack as FAILED before Stack.purge_db clears the traversal. An
    update that starts between them would be accepted, but could not be
    stored. For a locked stack, neither of them changes the row.

    :returns: the current traversal of the stack.
    """
    if stack_object.Stack.select_and_update(
            stack.context, stack.id, {'current_traversal': ''},
            exp_trvsl=traversal):
        return ''
    row = _read_row(stack, operation)
    return (traversal if row is not None
            and row.current_traversal == traversal else '')


def _create_operation(stack, action, traversal, asked):
    if asked is None:
        return pre_post.create_operation(stack, action, traversal)
    with _fail_on_error(stack, asked):
        operation_table.update_row(stack.context, asked.id,
                                   traversal=traversal)
    return dataclasses.replace(asked, traversal=traversal)


@contextlib.contextmanager
def _fail_on_error(stack, operation):
    # After any exception, also when this thread is ended: make the post calls
    # of the plugins that allowed the operation, mark the stack as FAILED, and
    # delete the row.
    try:
        yield
    except BaseException as error:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation)
            _fail_interrupted(stack, operation, error)
        raise


def _read_row(stack, operation):
    return stack_object.Stack.get_by_id(stack.context, operation.stack_id,
                                        eager_load=False)


def _fail_interrupted(stack, operation, error):
    # With the stack of the database: Stack.converge_stack sets the new
    # template and traversal on its object before it stores them.
    row = _read_row(stack, operation)
    if row is None or row.status != stack.IN_PROGRESS:
        return
    current = type(stack).load(stack.context, stack=row)
    current.thread_group_mgr = stack.thread_group_mgr
    # Only the class of an error, because its text may contain a secret.
    reason = f'Stack {operation.action} could not be started: ' + (
        type(error).__name__ if isinstance(error, Exception)
        else 'its thread was stopped')
    if row.current_traversal == operation.traversal:
        fail_not_begun(current, operation.action, reason)
    elif row.current_traversal == stack.current_traversal:
        # The new template is already stored.
        current.mark_failed(reason)


def _make_planned_stack(stack, template, action, new_stack):
    # Heat's legacy engine passes the target of a rollback to plugins
    # (Stack.update_task), so the convergence engine does it, too.
    if new_stack is not None or action != stack.ROLLBACK or not list(
            template.resource_definitions(stack)):
        return new_stack
    planned = type(stack)(stack.context, stack.name, template,
                          disable_rollback=stack.disable_rollback,
                          timeout_mins=stack.timeout_mins)
    planned.parameters.set_stack_id(stack.identifier())
    return planned


def _run_in_thread(stack, operation, previous, run_pre_calls, run_heat):
    end_superseded(stack, previous)
    with _fail_on_error(stack, operation):
        if run_pre_calls is not None:
            operation = run_pre_calls()
    if operation is not None:
        with _fail_on_error(stack, operation):
            _continue_operation(stack, operation, run_heat)


def _run_pre_calls(stack, operation, state_before, make_new_stack):
    try:
        return pre_post.run_pre_calls(stack, operation, make_new_stack(),
                                      state_before)
    except runner.ActionDenied as refusal:
        with pre_post.always_delete_row(stack, operation):
            fail_not_begun(stack, operation.action, str(refusal))
        return None


def _continue_operation(stack, operation, run_heat):
    state = object_data.of_stack(stack).lifecycle
    state.allowed, state.is_stored = operation, None
    try:
        run_heat()
    except exception.NotFound:
        # db.api.stack_update raises it if the stack was deleted during the
        # pre calls.
        if _read_row(stack, operation) is not None:
            raise
        state.is_stored = False
    if state.is_stored is False:
        # A newer operation has started, or the stack was deleted.
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation)


def has_not_begun(stack):
    """Return whether the operation of a stack has not started.

    Its pre calls are in progress, or the post calls after a denial. The stack
    then has no previous template, and Stack.rollback would use an empty one.
    """
    return operation_table.find_operation(
        stack.context, stack.id, stack.current_traversal,
        operation_table.NOT_BEGUN) is not None


def fail_not_begun(stack, action, reason):
    """Mark a stack as FAILED, without a rollback."""
    if not _set_failed(stack, action, reason):
        return
    if action == stack.SNAPSHOT:
        # Not Stack.update_snapshot: Heat 24 and 25 do not have it, and their
        # snapshots do not have the ID of a traversal.
        operation_table.fail_snapshots(
            stack.context, stack.id, stack.current_traversal,
            charset.storable_line(reason))
    # It stops the workers of the previous operation.
    stack.purge_db()


def _set_failed(stack, action, reason):
    return (stack.state_set(action, stack.FAILED, reason)
            or persist_deferred_state(stack))


def persist_deferred_state(stack):
    """Write the final state and the event of an operation, if deferred.

    Heat 24 and 25 write them for some operations when StackLock is released.
    The engine that had the StackLock is down, or has a newer Heat, which does
    not use StackLock.

    :returns: whether the traversal of the stack has not changed.
    """
    return (stack.defer_state_persist()
            and bool(final_status.write_stack(stack, stack._persist_state)))


def set_running(stack):
    """Record that Heat starts an operation that the plugins allowed.

    :returns: False if the stack now has another traversal.
    """
    operation = object_data.of_stack(stack).lifecycle.take('allowed')
    with _fail_on_error(stack, operation):
        if operation_table.set_running(stack.context, operation,
                                       stack.current_traversal):
            # From now on, any engine may end it.
            left_operations.remove_record(operation.id)
            return True
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation)
        return False


def stop_traversal(stack, original):
    """Stop a traversal as heat.engine.worker does, and make its post calls.

    :param original: Heat's ``_stop_traversal``, without arguments.
    """
    stopped = stack.current_traversal
    result = original()
    if stack.status == stack.FAILED:
        end_superseded(stack, stopped)
    return result


def end_superseded(stack, traversal):
    """Make the post calls of an operation that was canceled or superseded.

    Errors are only logged, because Heat must continue. The recovery finds the
    rows of ended operations.

    :param traversal: the traversal of the operation.
    """
    try:
        operation = operation_table.find_operation(stack.context, stack.id,
                                                   traversal)
        if operation is not None and run_post_calls(stack, operation,
                                                    True) is not None:
            pre_post.delete_row(stack, operation)
    except Exception:
        LOG.exception('Lifecycle plugins could not be called after an '
                      'operation of stack %s', stack.id)


def run_post_calls(stack, operation, is_failure):
    """Make the post calls, with the stack of the database.

    The Stack object of a worker is incomplete and has cached resource data.

    :returns: see :func:`pre_post.run_post_calls`.
    """
    if not left_operations.acquire(operation.id):
        return None
    failures = None
    try:
        failures = _run_post_calls(stack, operation, is_failure)
    finally:
        if failures is None:
            left_operations.release(operation.id)
    return failures


def _run_post_calls(stack, operation, is_failure):
    try:
        whole = type(stack).load(stack.context, stack_id=stack.id)
    except Exception as error:
        LOG.warning('Stack %(id)s could not be loaded for lifecycle plugins, '
                    'so the plugins get the incomplete stack object of the '
                    'engine: %(error)s',
                    {'id': stack.id, 'error': error})
        whole = stack
    has_new = operation.action in (stack.UPDATE, stack.ROLLBACK, stack.RESTORE)
    return pre_post.run_post_calls(whole, operation, is_failure,
                                   whole if has_new else None)


def mark_complete(stack, original):
    """Make the post calls, and then mark a stack as COMPLETE or FAILED.

    :param original: Heat's bound method Stack.mark_complete.
    """
    if not pre_post.has_plugins():
        return original()
    operation = operation_table.find_operation(stack.context, stack.id,
                                               stack.current_traversal)
    failures = operation and run_post_calls(stack, operation, False)
    if failures is None:
        return original()
    try:
        result = (stack.mark_failed(_join_failures(stack, failures))
                  if failures else original())
    except BaseException:
        # The final state is not stored, so the recovery has to do it.
        left_operations.release(operation.id)
        raise
    with pre_post.always_delete_row(stack, operation):
        pass
    return result


def _join_failures(stack, failures):
    reason = '; '.join(failures)
    # Stack.mark_failed also writes it to the snapshot.
    return (charset.storable_line(reason) if stack.action == stack.SNAPSHOT
            else reason)


def write_final_state(stack, write, action, status, reason):
    """Write the final state of an operation, and make post calls if it failed.

    :func:`mark_complete` makes the post calls of successful operations.

    :param write: a function like Stack.state_set, with the arguments action,
        status and reason.
    """
    updated = write(action, status, reason)
    if stack.convergence and status == stack.FAILED and updated:
        end_superseded(stack, stack.current_traversal)
    return updated
