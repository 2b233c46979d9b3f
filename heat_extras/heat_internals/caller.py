# SPDX-License-Identifier: Apache-2.0

"""The caller of a request: a user, or the resource around a nested stack.

The user name in Heat's context can be the caller's own claim: it comes from
the header X-Auth-User if a request has one
(heat.common.context.ContextMiddleware), and keystonemiddleware does not
remove that header. Keystone's description of the token (``auth_token_info``)
is part of each request and of each message to an engine.

Parents and users call the same RPC methods with the same arguments. So each
message that the resource around a nested stack sends has a mark in its
context: create, update, cancel, suspend, resume, check, abandon, delete, and
read requests. No HTTP request can set the mark, and an engine without
heat-extras ignores it. The mark is valid for one call. For a stack that is
nested deeper, a resource sends another message with a mark of its own.

Pure: does not import Heat.
"""

import typing

from heat_extras import sanitize


def token_data(context: typing.Any) -> dict:
    """Return Keystone's description of the token, or {} without a token.

    :param context: the heat.common.context.RequestContext of the request.
    """
    return (context.auth_token_info or {}).get('token') or {}


def printable_name(context: typing.Any) -> str | None:
    """Return the caller's name as one printable line.

    In Heat's pipelines without tokens, a password verifies the name
    (heat.common.auth_password). If the name is not verified, the result is
    the ID, which is None for an engine's own work.
    """
    name = _raw_user_name(context)
    return None if name is None else sanitize.printable(name)


def user_id(context: typing.Any) -> str | None:
    """Return the ID of the user of the token, or of a request without token.

    It is None for an engine's own work.
    """
    return (token_data(context).get('user') or {}).get('id') or context.user_id


def apply_token(context: typing.Any) -> None:
    """Set the user name and the admin project of a context from its token.

    Heat uses the user name in notifications and new stacks, and the admin
    project in policy checks. Messages of Heat 24 and 25 do not contain the
    admin project.

    :param context: the context of a message.
    """
    if context.auth_token_info:
        context.username = _raw_user_name(context)
        context.is_admin_project = token_data(context).get(
            'is_admin_project', True)


def _raw_user_name(context: typing.Any) -> str | None:
    user = token_data(context).get('user') or {}
    if user:
        return user.get('name') or user.get('id')
    is_verified = context.password and not context.auth_token_info
    return context.username if is_verified else context.user_id


_ATTRIBUTE = 'heat_extras_parent_call'


def mark_client(client: typing.Any) -> typing.Any:
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

    def __init__(self, client: typing.Any) -> None:
        self._client = client

    def prepare(self, **options: typing.Any) -> typing.Any:
        return _ParentClient(self._client.prepare(**options))

    def call(self, context: typing.Any, method: str,
             **arguments: typing.Any) -> typing.Any:
        return self._client.call(_MarkedContext(context), method, **arguments)

    def cast(self, context: typing.Any, method: str,
             **arguments: typing.Any) -> typing.Any:
        return self._client.cast(_MarkedContext(context), method, **arguments)


class _MarkedContext:
    """What heat.common.messaging serializes, with the mark."""

    def __init__(self, context: typing.Any) -> None:
        self._context = context

    def to_dict(self) -> dict:
        return {**self._context.to_dict(), _ATTRIBUTE: True}

    def __getattr__(self, name: str) -> typing.Any:
        return getattr(self._context, name)


def pop_mark(message_context: dict) -> bool:
    """Remove the mark from the context of a message.

    :returns: whether there was a mark.
    """
    return message_context.pop(_ATTRIBUTE, False) is True


def set_parent_call(context: typing.Any) -> None:
    """Set on the context of a request that it is a parent call."""
    setattr(context, _ATTRIBUTE, True)


def is_parent_call(context: typing.Any) -> bool:
    """Return whether a request is a parent call."""
    return getattr(context, _ATTRIBUTE, False)
