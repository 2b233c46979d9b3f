# SPDX-License-Identifier: Apache-2.0

"""Whether Heat calls for the stack around a nested one, or a person.

Both call the same RPC methods, with the same arguments. So what the resource
around a nested stack asks for carries a mark in the context of the message:
create, update, cancel, suspend, resume, check, abandon, delete, and what it
only reads. No HTTP request can set it, and an engine without it ignores it.
It ends with the call: what that causes in a stack nested deeper is asked for
by a resource again, and marked by it.
"""

import contextlib
import contextvars

from heat_extras import context_vars

_KEY = 'heat_extras_parent_call'
_OF_PARENT = 'heat_extras_is_of_parent'

_is_making_one = contextvars.ContextVar(_KEY, default=False)


def client_of_parent(client):
    """Let all calls of a client be those of a parent.

    :param client: the heat.rpc.client.EngineClient of one resource.
    :returns: the same.
    """
    setattr(client, _OF_PARENT, True)
    return client


def sending(client):
    """Mark the message that a client sends in this thread, if it is to be."""
    if getattr(client, _OF_PARENT, False) is True:
        return context_vars.override(_is_making_one, True)
    return contextlib.nullcontext()


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
