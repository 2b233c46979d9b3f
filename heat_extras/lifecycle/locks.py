# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock of stack trees: plugins are asked for the root."""

import functools

from heat.engine import stack as heat_stack

from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import beforehand
from heat_extras.lifecycle import calls


def ask(context, root, action):
    """Make the pre calls of a lock or unlock, as a lock callback.

    And of a deletion that lifts a lock. At the end of a lock plugins are
    told: what they deny is a warning.

    :raises Denied: when a plugin denies it.
    """
    if not calls.are_wanted():
        return _nothing
    if action == lock_callbacks.DELETE:
        return beforehand.ask(root)
    stack = heat_stack.Stack.load(context, stack=root)
    is_told = action == lock_callbacks.EXPIRY
    operation = calls.permit(
        stack, lock_callbacks.UNLOCK if is_told else action, True, is_told)
    return functools.partial(_tell, stack, operation)


def _nothing(is_failure):
    pass


def _tell(stack, operation, is_failure):
    # What a plugin raises is logged: a lock that holds is not taken back
    # for it, and one that is lifted does not return.
    with calls.ending(stack, operation):
        calls.finish(stack, operation, is_failure)
