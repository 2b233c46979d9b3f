# SPDX-License-Identifier: Apache-2.0

"""Whether a parent removes a nested stack, or a person by its id.

Heat lets a parent call the same RPC method. So its call carries a mark in
the context of the message. No HTTP request can set it, and an engine
without it ignores it.
"""

import contextvars

from heat_extras import scoped

_KEY = 'heat_extras_parent_call'

_is_making_one = contextvars.ContextVar(_KEY, default=False)


def making():
    """Say that what this thread calls, it calls for a parent."""
    return scoped.value(_is_making_one, True)


def mark(message_context):
    """Put the mark on the context of a message, a dict, where it belongs."""
    if _is_making_one.get():
        message_context[_KEY] = True


def take(message_context):
    """Take the mark off the context of a message.

    :returns: whether it was there.
    """
    return message_context.pop(_KEY, False) is True


def remember(context):
    """Let a request's context know that it is a parent's call."""
    setattr(context, _KEY, True)


def is_one(context):
    """Return whether a parent has called."""
    return getattr(context, _KEY, False)
