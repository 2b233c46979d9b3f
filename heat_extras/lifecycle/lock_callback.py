# SPDX-License-Identifier: Apache-2.0

"""Call lifecycle plugins before and after locks and unlocks of stack trees.

Plugins get the root stack. For a deletion that first unlocks its stack, the
pre calls are made here, while its caller waits: if a plugin denies the
deletion, the lock must stay. The operation is stored on the Stack object, for
the code that starts the deletion.

This is also so for an abandon by a user, because the response has the data of
the stack. If a plugin denied the abandon later, a user could adopt the data,
and two stacks would have the same resources. An abandon by a parent resource
is like any other operation, because its data is not used.
"""

import functools
import time

from heat.engine import stack as heat_stack
from oslo_config import cfg

from heat_extras import exception
from heat_extras.heat_internals import lock_callbacks
from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras import rpc_request


def start():
    """Load the plugins, and register the callback for locks."""
    registry.load_plugins(cfg.CONF)
    lock_callbacks.register_callback(run_pre_calls)


def stop():
    """Remove the callback for locks, and unload the plugins."""
    lock_callbacks.unregister_callback(run_pre_calls)
    registry.unload_plugins()


def run_pre_calls(context, root, action):
    """Make the pre calls, as a lock callback.

    When a lock expires, a denial is only a warning.

    :returns: a function that makes the post calls. Its argument is whether the
        action failed.
    :raises Denied: if a plugin denies the action.
    """
    if not pre_post.has_plugins():
        return _do_nothing
    if action == lock_callbacks.DELETE:
        object_data.of_stack(root).lifecycle.asked = _run_pre_calls(
            root, root.DELETE)
        return functools.partial(_abort_deletion, root)
    stack = heat_stack.Stack.load(context, stack=root)
    operation = (
        _run_pre_calls(stack, lock_callbacks.UNLOCK, is_running=True,
                       is_warning=True) if action == lock_callbacks.EXPIRY
        else _run_pre_calls(stack, action, is_running=True))
    return functools.partial(_run_post_calls, stack, operation)


def _do_nothing(is_failure):
    pass


def _run_pre_calls(stack, action, is_running=False, is_warning=False):
    operation = pre_post.create_operation(stack, action)
    try:
        operation = pre_post.run_pre_calls(stack, operation,
                                           is_warning=is_warning)
        return (pre_post.mark_running(stack, operation) if is_running
                else operation)
    except runner.ActionDenied as refusal:
        with pre_post.always_delete_row(stack, operation):
            pass
        raise lock_callbacks.Denied(str(refusal)) from refusal
    except BaseException:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation)
        raise


def _run_post_calls(stack, operation, is_failure):
    # Errors of plugins are only logged, because the lock or unlock is complete
    # and cannot be undone.
    with pre_post.always_delete_row(stack, operation):
        pre_post.run_post_calls(stack, operation, is_failure)


def _abort_deletion(stack, is_failure):
    operation = is_failure and object_data.of_stack(stack).lifecycle.take(
        'asked')
    if operation:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort_operation(stack, operation)


def process_abandon(request, proceed):
    """Process an abandon, and end the calls of plugins if it fails.

    :param proceed: continues with the request.
    """
    try:
        return proceed()
    except BaseException:
        for end in request.abandon_ends:
            end(True)
        raise


def call_before_abandon(stack):
    """Make the pre calls if the request of a user abandons the stack.

    :param stack: the loaded heat.engine.stack.Stack, which is not changed yet.
    :raises LifecycleConflict: if a plugin denies the abandon.
    """
    request = rpc_request.current()
    if (request is None or request.operation != rpc_request.ABANDON
            or request.is_of_parent):
        return
    started = time.monotonic()
    try:
        request.abandon_ends.append(run_pre_calls(
            stack.context, stack, lock_callbacks.DELETE))
    except lock_callbacks.Denied as denial:
        _reject(stack, denial)
    if time.monotonic() - started > cfg.CONF.rpc_response_timeout:
        # The API does not wait any more, so the data would be lost.
        _reject(stack, 'its lifecycle plugins needed more time than [DEFAULT] '
                       'rpc_response_timeout.')


def _reject(stack, why):
    raise exception.LifecycleConflict(message=(
        f'Stack {stack.name} ({stack.id}) was not abandoned: {why}'))
