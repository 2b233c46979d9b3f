# SPDX-License-Identifier: Apache-2.0

"""Operations that end in the thread that started them.

These are all operations of Heat's legacy engine. In Heat 24 and 25, these are
also operations under StackLock on stacks of the convergence engine: suspend,
resume, check, snapshot and abandon. Stack.delete also does abandon and the
rollback of a create.
"""

import copy

from heat.common import exception
from heat.objects import stack as stack_object

from heat_extras.db import charset
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import rpc_errors
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import runner


class PluginFailedAfterDelete(Exception):
    """A plugin failed after a deletion, so the row of the stack must stay."""


def is_in_operation(stack):
    """Return whether this Stack object is in such an operation."""
    return object_data.of_stack(stack).lifecycle.in_thread is not None


def start_operation(stack, action, new_stack=None):
    """Make the pre calls, after the caller has got the response.

    :raises ActionDenied: if a plugin denies the action.
    """
    state = object_data.of_stack(stack).lifecycle
    _signal_caller(stack, action)
    asked = state.take('asked')
    operation = asked or pre_post.create_operation(stack, action)
    try:
        if asked is None:
            operation = pre_post.run_pre_calls(stack, operation, new_stack)
        operation = pre_post.mark_running(stack, operation)
    except runner.ActionDenied:
        state.is_denied = True
        with pre_post.always_delete_row(stack, operation):
            if stack.status == stack.COMPLETE:
                store_previous_template(stack, action)
        raise
    except BaseException as error:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation, new_stack)
            _fail_if_killed(stack, action, error)
        raise
    state.in_thread, state.new_stack = operation, new_stack


def start_at_pre_ops(stack, action, new_stack):
    """Make the pre calls in place of Heat's do_pre_ops.

    :raises Exception: with a text for the user.
    """
    if is_in_operation(stack):
        # Stack.delete has made the pre calls.
        return
    try:
        start_operation(stack, action, new_stack)
    except runner.ActionDenied as refusal:
        # Heat's callers show the first argument of any exception.
        raise Exception(str(refusal)) from refusal
    except Exception as error:
        raise Exception(_pre_call_error(error, action)) from error


def _pre_call_error(error, action):
    return rpc_errors.log_unexpected(
        error, f'Lifecycle plugins could not be called before {action}')


def _fail_if_killed(stack, action, error):
    # Heat's callers store the final state after an Exception. If the thread
    # is killed (ThreadGroupManager.stop), they do it only for a stack that was
    # IN_PROGRESS before the pre calls.
    if not isinstance(error, Exception):
        stack.state_set(action, stack.FAILED, f'Stack {action} was stopped '
                        'while lifecycle plugins were called')


def store_previous_template(stack, action):
    """Store the template of a legacy stack as its previous template.

    For a PATCH without template of a FAILED stack,
    EngineService._prepare_stack_updates uses only the previous template. The
    stack has none if its update has not started.
    """
    if (stack.convergence or action not in (stack.UPDATE, stack.RESTORE)
            or stack.prev_raw_template_id is not None):
        return
    template = copy.deepcopy(stack.t)
    stack_object.Stack.encrypt_hidden_parameters(template)
    stack.prev_raw_template_id = template.store(stack.context)
    stack_object.Stack.update_by_id(stack.context, stack.id, {
        'prev_raw_template_id': stack.prev_raw_template_id})


def _signal_caller(stack, action):
    # Heat's caller waits until the operation is in the database, but not
    # longer than for an RPC response (NotifyEvent.wait). Plugins may need more
    # time.
    notify = object_data.of_stack(stack).lifecycle.notify
    if notify is None:
        return
    stack_object.Stack.update_by_id(stack.context, stack.id, {
        'action': action, 'status': stack.IN_PROGRESS,
        'status_reason': f'Stack {action} started'})
    notify.signal()


def run_task(stack, task, notify):
    """Run the task of an operation, and make its post calls at the end.

    :param notify: Heat's NotifyEvent, or None.
    """
    object_data.of_stack(stack).lifecycle.notify = notify
    try:
        yield from task
    finally:
        run_post_calls(stack, True)


def run_post_calls(stack, is_failure, overrides=None):
    """Make the post calls of the operation, if there is one.

    :param overrides: attributes that plugins see in place of those of *stack*.
    :returns: a list of messages about errors.
    """
    state = object_data.of_stack(stack).lifecycle
    operation = state.take('in_thread')
    if operation is None:
        return []
    failures = []
    with pre_post.always_delete_row(stack, operation):
        failures = pre_post.run_post_calls(
            stack, operation, is_failure, state.new_stack, overrides) or []
    return failures


def write_final_state(stack, write, action, status, reason):
    """Make the post calls, and write the final state of an operation.

    :param write: a function like Stack.state_set, with the arguments action,
        status and reason.
    :raises PluginFailedAfterDelete: if a plugin failed after a deletion.
    """
    failures = run_post_calls(stack, status == stack.FAILED)
    if not failures or status == stack.FAILED:
        return write(action, status, reason)
    updated = write(action, stack.FAILED, '; '.join(failures))
    if object_data.of_stack(stack).lifecycle.is_deleting:
        # Also in the rollback of a create.
        raise PluginFailedAfterDelete()
    return updated


def run_update_task(update, task):
    """Run the task of a legacy update, and make the post calls before its end.

    :param update: a heat.engine.update.StackUpdate.
    """
    stack = update.existing_stack
    try:
        yield from task
    except BaseException:
        run_post_calls(stack, True)
        raise
    failures = run_post_calls(stack, False, {'t': update.new_stack.t})
    if failures:
        reason = charset.storable('; '.join(failures))
        # Otherwise the reason is lost in a rollback.
        stack._add_event(stack.UPDATE, stack.FAILED, reason)
        # Stack._update_exception_handler rolls back after this exception.
        raise exception.ResourceFailure(reason, None, action=stack.UPDATE)


def delete_stack(stack, original, action, backup, notify):
    """Delete a stack, if the plugins allow it.

    :param original: Heat's own function, without arguments.
    :param backup: whether it is a backup stack, for which no plugin is called.
    :param notify: Heat's NotifyEvent, which unblocks the caller.
    """
    if backup or not pre_post.has_plugins():
        return original()
    state = object_data.of_stack(stack).lifecycle
    if action == stack.ROLLBACK and state.is_denied:
        # The create was denied, so there is nothing to roll back.
        return None
    state.notify = notify
    if stack.convergence:
        # In Heat 24 and 25, abandon keeps the traversal of the operation that
        # is in progress.
        convergence.end_superseded(stack, stack.current_traversal)
    try:
        start_operation(stack, action)
    except runner.ActionDenied as refusal:
        stack.state_set(action, stack.FAILED, str(refusal))
        return None
    except Exception as error:
        stack.state_set(action, stack.FAILED, _pre_call_error(error, action))
        raise
    state.is_deleting = True
    try:
        return original()
    except PluginFailedAfterDelete:
        return None
    finally:
        state.is_deleting = False
        run_post_calls(stack, True)
