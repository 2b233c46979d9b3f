# SPDX-License-Identifier: Apache-2.0

"""A deletion whose plugins are asked while its caller waits for an answer.

It is one that has to lift a lock first: what a plugin denies must leave the
lock as it is. The operation goes with the Stack object to whoever begins it.
"""

import functools

from heat_extras.lifecycle import calls
from heat_extras.lifecycle import state


def ask(stack):
    """Make the pre calls of a deletion, as a lock callback.

    :param stack: a heat.engine.stack.Stack.
    :raises Denied: when a plugin denies it.
    """
    state.of(stack).beforehand = calls.permit(stack, stack.DELETE, False)
    return functools.partial(_end, stack)


def take(stack):
    """Return the operation that its plugins let pass, once; else None."""
    return state.of(stack).take('beforehand')


def _end(stack, is_failure):
    operation = take(stack) if is_failure else None
    if operation is not None:
        with calls.ending(stack, operation):
            calls.abort(stack, operation)
