# SPDX-License-Identifier: Apache-2.0

"""Operations that end in the thread that began them.

All of Heat's legacy engine, and what Heat 24 and 25 do under StackLock with
stacks of the convergence engine: suspend, resume, check, snapshot, abandon.
"""

import copy

from heat.common import exception
from heat.objects import stack as stack_object

from heat_extras.db import charset
from heat_extras import internal_error
from heat_extras.lifecycle import beforehand
from heat_extras.lifecycle import calls
from heat_extras.lifecycle import runner
from heat_extras.lifecycle import state
from heat_extras.lifecycle import unbegun
from heat_extras.lifecycle import words


class DeletionKept(Exception):
    """A plugin failed after a deletion: the stack's row is to stay."""


def of(stack):
    """Return the operation that this Stack object is in, or None."""
    return state.of(stack).in_thread


def begin(stack, action, new_stack=None):
    """Make the pre calls, after the caller has got an answer.

    :raises Refused: when a plugin denies it.
    """
    prior = unbegun.prior(stack, action)
    _answer(stack, action)
    asked = beforehand.take(stack)
    operation = asked or calls.enter(stack, action, prior=prior)
    try:
        unbegun.begin(stack, action)
        if asked is None:
            operation = calls.ask(stack, operation, new_stack)
        operation = calls.go(stack, operation)
    except runner.Refused as refusal:
        state.of(stack).is_denied = True
        with calls.ending(stack, operation):
            unbegun.note(stack, action, str(refusal), prior)
            if stack.status == stack.COMPLETE:
                keep_template(stack, action)
        raise
    except BaseException as error:
        with calls.ending(stack, operation):
            calls.abort(stack, operation, new_stack)
            _stop(stack, action, error, prior)
        raise
    state.of(stack).begin_in_thread(operation, new_stack)


def begin_for_heat(stack, action, new_stack):
    """Make the pre calls where Heat would, unless they are made already.

    :raises Exception: a plain one, with a text for the user.
    """
    if of(stack) is not None:
        # By Stack.delete, before Heat began.
        return
    try:
        begin(stack, action, new_stack)
    except runner.Refused as refusal:
        # Heat's callers show the first argument of any exception.
        raise Exception(str(refusal)) from refusal
    except Exception as error:
        raise Exception(failure(error, action)) from error


def failure(error, action):
    """Return in words for a user why plugins could not be called."""
    return internal_error.unexpected(error, words.not_called(action))


def _stop(stack, action, error, prior):
    # Heat's callers store the outcome of an Exception. When the thread is
    # killed (ThreadGroupManager.stop), they do so only for a stack that was
    # IN_PROGRESS before it came to the plugins.
    if not isinstance(error, Exception):
        unbegun.note(stack, action, words.stopped(action), prior)
        stack.state_set(action, stack.FAILED, words.stopped(action))


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
    notify = state.of(stack).notify
    if notify is None:
        return
    stack_object.Stack.update_by_id(stack.context, stack.id, {
        'action': action, 'status': stack.IN_PROGRESS,
        'status_reason': words.started(action)})
    notify.signal()


def finish(stack, is_failure, shown=None):
    """Make the post calls of the operation, if there is one.

    :returns: a list of what went wrong.
    """
    known = state.of(stack)
    operation = known.take('in_thread')
    if operation is None:
        return []
    failures = []
    with calls.ending(stack, operation):
        failures = calls.finish(stack, operation, is_failure,
                                known.new_stack, shown) or []
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
    if state.of(stack).is_deleting:
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
