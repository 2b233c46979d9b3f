# SPDX-License-Identifier: Apache-2.0

"""Operations that end in the thread that began them.

All of Heat's legacy engine, and what Heat 24 and 25 do under StackLock with
stacks of the convergence engine: suspend, resume, check, snapshot, abandon.
Stack.delete is abandon and the rollback of a create, too.
"""

import copy

from heat.common import exception
from heat.objects import stack as stack_object

from heat_extras.db import charset
from heat_extras import internal_error
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import runner


class DeletionKept(Exception):
    """A plugin failed after a deletion: the stack's row is to stay."""


def has_begun(stack):
    """Return whether this Stack object is in such an operation."""
    return in_process_operations.state_of(stack).in_thread is not None


def begin(stack, action, new_stack=None):
    """Make the pre calls, after the caller has got an answer.

    :raises Refused: when a plugin denies it.
    """
    known = in_process_operations.state_of(stack)
    _answer(stack, action)
    asked = known.take('asked')
    operation = asked or pre_post.create_operation(stack, action)
    try:
        if asked is None:
            operation = pre_post.run_pre_calls(stack, operation, new_stack)
        operation = pre_post.mark_running(stack, operation)
    except runner.Refused:
        known.is_denied = True
        with pre_post.always_delete_row(stack, operation):
            if stack.status == stack.COMPLETE:
                keep_template(stack, action)
        raise
    except BaseException as error:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation, new_stack)
            _stop(stack, action, error)
        raise
    known.in_thread, known.new_stack = operation, new_stack


def begin_for_heat(stack, action, new_stack):
    """Make the pre calls where Heat would, unless they are made already.

    :raises Exception: a plain one, with a text for the user.
    """
    if has_begun(stack):
        # By Stack.delete, before Heat began.
        return
    try:
        begin(stack, action, new_stack)
    except runner.Refused as refusal:
        # Heat's callers show the first argument of any exception.
        raise Exception(str(refusal)) from refusal
    except Exception as error:
        raise Exception(_not_called(error, action)) from error


def _not_called(error, action):
    return internal_error.unexpected(
        error, f'Lifecycle plugins could not be called before {action}')


def _stop(stack, action, error):
    # Heat's callers store the outcome of an Exception. When the thread is
    # killed (ThreadGroupManager.stop), they do so only for a stack that was
    # IN_PROGRESS before it came to the plugins.
    if not isinstance(error, Exception):
        stack.state_set(action, stack.FAILED, f'Stack {action} stopped while '
                        'lifecycle plugins were asked')


def keep_template(stack, action):
    """Keep the template of a legacy stack whose update has not begun.

    EngineService._prepare_stack_updates takes that of a FAILED stack from
    there only, when a PATCH brings none.
    """
    if (stack.convergence or action not in (stack.UPDATE, stack.RESTORE)
            or stack.prev_raw_template_id is not None):
        return
    template = copy.deepcopy(stack.t)
    stack_object.Stack.encrypt_hidden_parameters(template)
    stack.prev_raw_template_id = template.store(stack.context)
    stack_object.Stack.update_by_id(stack.context, stack.id, {
        'prev_raw_template_id': stack.prev_raw_template_id})


def _answer(stack, action):
    # Heat's caller waits until the operation shows in the database, and no
    # longer than for an answer by RPC (NotifyEvent.wait); plugins may take
    # more time than that.
    notify = in_process_operations.state_of(stack).notify
    if notify is None:
        return
    stack_object.Stack.update_by_id(stack.context, stack.id, {
        'action': action, 'status': stack.IN_PROGRESS,
        'status_reason': f'Stack {action} started'})
    notify.signal()


def run_task(stack, task, notify):
    """Run the task of an operation, and make its post calls at the latest.

    :param notify: Heat's NotifyEvent, or None.
    """
    in_process_operations.state_of(stack).notify = notify
    try:
        yield from task
    finally:
        finish(stack, True)


def finish(stack, is_failure, shown=None):
    """Make the post calls of the operation, if there is one.

    :returns: a list of what went wrong.
    """
    known = in_process_operations.state_of(stack)
    operation = known.take('in_thread')
    if operation is None:
        return []
    failures = []
    with pre_post.always_delete_row(stack, operation):
        failures = pre_post.run_post_calls(
            stack, operation, is_failure, known.new_stack, shown) or []
    return failures


def end(stack, write, action, status, reason):
    """Write the end of an operation, and what plugins say of it.

    :param write: takes action, status and reason, like Stack.state_set.
    :raises DeletionKept: when a plugin failed after a deletion.
    """
    failures = finish(stack, status == stack.FAILED)
    if not failures or status == stack.FAILED:
        return write(action, status, reason)
    updated = write(action, stack.FAILED, '; '.join(failures))
    if in_process_operations.state_of(stack).is_deleting:
        # The rollback of a create is one, too.
        raise DeletionKept()
    return updated


def end_update(update, task):
    """Run the task of a legacy update, and tell the plugins before its end.

    :param update: a heat.engine.update.StackUpdate.
    """
    stack = update.existing_stack
    try:
        yield from task
    except BaseException:
        finish(stack, True)
        raise
    failures = finish(stack, False, {'t': update.new_stack.t})
    if failures:
        reason = charset.storable('; '.join(failures))
        # A rollback hides the reason for it.
        stack._add_event(stack.UPDATE, stack.FAILED, reason)
        # What Stack._update_exception_handler rolls back after.
        raise exception.ResourceFailure(reason, None, action=stack.UPDATE)


def delete(stack, original, action, notify):
    """Delete a stack, if the plugins let it pass.

    :param original: Heat's own way to do it; takes nothing.
    :param notify: Heat's NotifyEvent, which lets the caller go on.
    """
    known = in_process_operations.state_of(stack)
    if action == stack.ROLLBACK and known.is_denied:
        # Nothing was created: nothing to roll back.
        return None
    known.notify = notify
    if stack.convergence:
        # Heat 24 and 25 abandon under the traversal of what still runs.
        convergence.end_superseded(stack, stack.current_traversal)
    try:
        begin(stack, action)
    except runner.Refused as refusal:
        stack.state_set(action, stack.FAILED, str(refusal))
        return None
    except Exception as error:
        stack.state_set(action, stack.FAILED, _not_called(error, action))
        raise
    known.is_deleting = True
    try:
        return original()
    except DeletionKept:
        return None
    finally:
        known.is_deleting = False
        finish(stack, True)
