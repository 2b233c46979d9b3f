# SPDX-License-Identifier: Apache-2.0

"""Who calls: what Keystone says of the caller's token.

Heat's context has the name of the header X-Auth-User where a request brings
one (heat.common.context.ContextMiddleware), and keystonemiddleware leaves that
header there: the name in the context is the caller's own claim. The
description of the token comes with each request, and each message to an
engine (``auth_token_info``). Pure: nothing of Heat is imported.
"""

import typing

from heat_extras import sanitize


def token(context: typing.Any) -> dict:
    """Return what Keystone says of the caller's token; {} without one.

    :param context: of the request, a heat.common.context.RequestContext.
    """
    return (context.auth_token_info or {}).get('token') or {}


def name(context: typing.Any) -> str | None:
    """Return the caller's name, for people: one line that can be printed.

    In Heat's pipelines without tokens the password has proved the name
    (heat.common.auth_password); where nothing has, the id serves, which is
    None for what an engine does by itself.
    """
    found = _name(context)
    return None if found is None else sanitize.printable(found)


def user_id(context: typing.Any) -> str | None:
    """Return the ID of the user of the token, or of the pipeline without one.

    None for what an engine does by itself.
    """
    return (token(context).get('user') or {}).get('id') or context.user_id


def apply_token(context: typing.Any) -> None:
    """Let a context that a message has brought say what its token does.

    Heat puts its user name into notifications and new stacks, and judges
    policies by the admin project, which Heat 24 and 25 leave out of messages.
    """
    if context.auth_token_info:
        context.username = _name(context)
        context.is_admin_project = token(context).get(
            'is_admin_project', True)


def _name(context: typing.Any) -> str | None:
    user = token(context).get('user') or {}
    if user:
        return user.get('name') or user.get('id')
    has_proved = context.password and not context.auth_token_info
    return context.username if has_proved else context.user_id
