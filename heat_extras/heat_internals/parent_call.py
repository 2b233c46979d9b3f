# SPDX-License-Identifier: Apache-2.0

"""Distinguish the RPC calls of a parent resource from requests of users.

Parents and users call the same RPC methods with the same arguments. So each
message that the resource around a nested stack sends has a mark in its
context: create, update, cancel, suspend, resume, check, abandon, delete, and
read requests. No HTTP request can set the mark, and an engine without
heat-extras ignores it. The mark is valid for one call. For a stack that is
nested deeper, a resource sends another message with a mark of its own.
"""

import contextlib
import contextvars

from heat_extras import context_vars

_KEY = 'heat_extras_parent_call'
_IS_PARENT_CLIENT = 'heat_extras_is_of_parent'

_is_sending = contextvars.ContextVar(_KEY, default=False)


def mark_client(client):
    """Mark all calls of a client as parent calls.

    :param client: the heat.rpc.client.EngineClient of one resource.
    :returns: *client*.
    """
    setattr(client, _IS_PARENT_CLIENT, True)
    return client


def send_marked(client):
    """Mark the message of a marked client, as a context manager."""
    if getattr(client, _IS_PARENT_CLIENT, False) is True:
        return context_vars.override(_is_sending, True)
    return contextlib.nullcontext()


def add_mark(message_context):
    """Add the mark to the context of a message of a marked client.

    :param message_context: a dict.
    """
    if _is_sending.get():
        message_context[_KEY] = True


def pop_mark(message_context):
    """Remove the mark from the context of a message.

    :returns: whether there was a mark.
    """
    return message_context.pop(_KEY, False) is True


def set_parent_call(context):
    """Set on the context of a request that it is a parent call."""
    setattr(context, _KEY, True)


def is_parent_call(context):
    """Return whether a request is a parent call."""
    return getattr(context, _KEY, False)
