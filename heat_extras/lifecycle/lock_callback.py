# SPDX-License-Identifier: Apache-2.0

"""Ask lifecycle plugins about locks and unlocks of stack trees.

They are asked about the root. A deletion that has to unlock its stack first
is asked about here, too, while its caller waits: if a plugin denies it, the
lock must stay. Its operation goes with the Stack object to the code that
begins the deletion.
"""

import functools

from heat.engine import stack as heat_stack
from oslo_config import cfg

from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner


def start():
    """Load the plugins, and have them asked about locks."""
    registry.start(cfg.CONF)
    lock_callbacks.add(ask)


def stop():
    """Forget the plugins."""
    lock_callbacks.remove(ask)
    registry.stop()


def ask(context, root, action):
    """Make the pre calls, as a lock callback.

    At the expiration of a lock, a denial is only a warning.

    :returns: what makes the post calls; takes whether the action failed.
    :raises Denied: when a plugin denies it.
    """
    if not pre_post.has_plugins():
        return _ignore
    if action == lock_callbacks.DELETE:
        in_process_operations.state_of(root).asked = _pre_calls(
            root, root.DELETE)
        return functools.partial(_end_deletion, root)
    stack = heat_stack.Stack.load(context, stack=root)
    operation = (
        _pre_calls(stack, lock_callbacks.UNLOCK, is_running=True,
                   is_warning=True) if action == lock_callbacks.EXPIRY
        else _pre_calls(stack, action, is_running=True))
    return functools.partial(_end, stack, operation)


def _ignore(is_failure):
    pass


def _pre_calls(stack, action, is_running=False, is_warning=False):
    operation = pre_post.create_operation(stack, action)
    try:
        operation = pre_post.run_pre_calls(stack, operation,
                                           is_warning=is_warning)
        return (pre_post.mark_running(stack, operation) if is_running
                else operation)
    except runner.Refused as refusal:
        with pre_post.always_delete_row(stack, operation):
            pass
        raise lock_callbacks.Denied(str(refusal)) from refusal
    except BaseException:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation)
        raise


def _end(stack, operation, is_failure):
    # What a plugin raises is logged: the lock or unlock is done, and is not
    # taken back.
    with pre_post.always_delete_row(stack, operation):
        pre_post.run_post_calls(stack, operation, is_failure)


def _end_deletion(stack, is_failure):
    operation = is_failure and in_process_operations.state_of(stack).take(
        'asked')
    if operation:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation)
