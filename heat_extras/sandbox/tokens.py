# SPDX-License-Identifier: Apache-2.0

"""Tokens that name a user and roles, for a Heat without authentication."""

import dataclasses
import re

DEFAULT_TOKEN = 'demo:member'
DEFAULT_PROJECT = 'demo'

# keystoneauth's plugin "none" (openstack --os-auth-type none) sends this
# word as its token: keystoneauth1.noauth.NoAuth.get_token.
NO_TOKEN = ('', 'notused')

# Like Keystone's default roles: each one implies those after it.
IMPLIED_ROLES = ('admin', 'manager', 'member', 'reader')

_TOKEN = re.compile(r'(?P<user>[\w.@-]{1,64})'
                    r'(?::(?P<roles>[\w-]+(?:,[\w-]+)*)'
                    r'(?P<elsewhere>:is_admin_project=False)?)?', re.ASCII)
# The cfn API's signals name it in the middle (heat.common.identifier).
_PROJECT = re.compile(r'/v1/(?:(?:signal|waitcondition)/arn:openstack:heat::)?'
                      r'(?P<project>[^/:]+)')
_EXPECTED = ('expected USER or USER:ROLE[,ROLE...][:is_admin_project=False], '
             'like alice:member or ops:admin')


class BadToken(Exception):
    """A token that is not valid; the message says what is expected."""


@dataclasses.dataclass(frozen=True)
class Token:
    """A user and roles.

    :param user: the user's name.
    :param roles: the names of the roles, with the implied ones.
    :param is_admin_project: False, where Keystone has an admin project and
        the token is for another one.
    """

    user: str
    roles: tuple
    is_admin_project: bool = True


def parse_token(token):
    """Read a token.

    :param token: ``alice:member``, ``ops:admin,member``, ``bob``; without
        a token it is the user demo. ``:is_admin_project=False`` at the end is
        for a cloud whose admin project is another one.
    :returns: a :class:`Token`
    :raises BadToken: if there is no user or no role, or another character
                      than letters, digits and ``._@-``
    """
    if token in NO_TOKEN:
        token = DEFAULT_TOKEN
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise BadToken('Token %.40r is not valid: %s' % (token, _EXPECTED))
    roles = (found['roles'] or 'member').split(',')
    return Token(found['user'], tuple(add_implied_roles(roles)),
                 found['elsewhere'] is None)


def add_implied_roles(roles):
    """Add the roles that *roles* imply.

    :returns: list of role names, each once, the given ones first
    """
    complete = list(roles)
    for role in roles:
        if role in IMPLIED_ROLES:
            complete += IMPLIED_ROLES[IMPLIED_ROLES.index(role):]
    return list(dict.fromkeys(complete))


def format_token(token):
    """Write a :class:`Token` as :func:`parse_token` reads it."""
    return f'{token.user}:{",".join(token.roles)}' + (
        '' if token.is_admin_project else ':is_admin_project=False')


def project_of_path(path):
    """Read the project from a path like ``/v1/demo/stacks``."""
    found = _PROJECT.match(path)
    return found['project'] if found else DEFAULT_PROJECT
