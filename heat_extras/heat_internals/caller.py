# SPDX-License-Identifier: Apache-2.0

"""The caller of a request, as Keystone describes it in the token.

The user name in Heat's context can be the caller's own claim: it comes from
the header X-Auth-User if a request has one
(heat.common.context.ContextMiddleware), and keystonemiddleware does not
remove that header. The description of the token (``auth_token_info``) is
part of each request and of each message to an engine.

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
