# SPDX-License-Identifier: Apache-2.0

"""Distinguish the RPC calls of a parent resource from requests of users.

Parents and users call the same RPC methods with the same arguments. So each
message that the resource around a nested stack sends has a mark in its
context: create, update, cancel, suspend, resume, check, abandon, delete, and
read requests. No HTTP request can set the mark, and an engine without
heat-extras ignores it. The mark is valid for one call. For a stack that is
nested deeper, a resource sends another message with a mark of its own.
"""

_ATTRIBUTE = 'heat_extras_parent_call'


def mark_client(client):
    """Mark all calls of a client as parent calls.

    :param client: the heat.rpc.client.EngineClient of one resource. The client
        of a plan sends no messages of its own.
    :returns: *client*.
    """
    sender = vars(client).get('_client')
    if sender is not None and not isinstance(sender, _ParentClient):
        client._client = _ParentClient(sender)
    return client


class _ParentClient:
    """A client of oslo.messaging that marks the context of each message."""

    def __init__(self, client):
        self._client = client

    def prepare(self, **options):
        return _ParentClient(self._client.prepare(**options))

    def call(self, context, method, **arguments):
        return self._client.call(_MarkedContext(context), method, **arguments)

    def cast(self, context, method, **arguments):
        return self._client.cast(_MarkedContext(context), method, **arguments)


class _MarkedContext:
    """What heat.common.messaging serializes, with the mark."""

    def __init__(self, context):
        self._context = context

    def to_dict(self):
        return {**self._context.to_dict(), _ATTRIBUTE: True}

    def __getattr__(self, name):
        return getattr(self._context, name)


def pop_mark(message_context):
    """Remove the mark from the context of a message.

    :returns: whether there was a mark.
    """
    return message_context.pop(_ATTRIBUTE, False) is True


def set_parent_call(context):
    """Set on the context of a request that it is a parent call."""
    setattr(context, _ATTRIBUTE, True)


def is_parent_call(context):
    """Return whether a request is a parent call."""
    return getattr(context, _ATTRIBUTE, False)
