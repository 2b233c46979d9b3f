# SPDX-License-Identifier: Apache-2.0

"""Tokens with a user and roles, for a Heat without authentication."""

import dataclasses
import re

DEFAULT_TOKEN = 'demo:member'
DEFAULT_PROJECT = 'demo'

# keystoneauth's plugin "none" (openstack --os-auth-type none) sends "notused"
# as its token: keystoneauth1.noauth.NoAuth.get_token.
NO_TOKEN = ('', 'notused')

# Like Keystone's default roles: each role implies the roles after it.
IMPLIED_ROLES = ('admin', 'manager', 'member', 'reader')

_TOKEN = re.compile(r'(?P<user>[\w.@-]{1,64})'
                    r'(?::(?P<roles>[\w-]+(?:,[\w-]+)*)'
                    r'(?P<elsewhere>:is_admin_project=False)?)?', re.ASCII)
# In signals of the cfn API, the project is in the middle of the path
# (heat.common.identifier).
_PROJECT = re.compile(r'/v1/(?:(?:signal|waitcondition)/arn:openstack:heat::)?'
                      r'(?P<project>[^/:]+)')
_EXPECTED = ('expected USER or USER:ROLE[,ROLE...][:is_admin_project=False], '
             'like alice:member or ops:admin')


class BadToken(Exception):
    """A token that is not valid. The message has the expected syntax."""


@dataclasses.dataclass(frozen=True)
class Token:
    """A user and roles.

    :param user: the user's name.
    :param roles: the names of the roles, with the implied ones.
    :param is_admin_project: False if Keystone has an admin project and the
        token is for another project.
    """

    user: str
    roles: tuple
    is_admin_project: bool = True


def parse_token(token):
    """Parse a token.

    :param token: a text like ``alice:member``, ``ops:admin,member`` or
        ``bob``. An empty text is a token of the user demo. A token with
        ``:is_admin_project=False`` at the end is for a cloud whose admin
        project is another project.
    :returns: a :class:`Token`
    :raises BadToken: if the user or a role is missing, or has characters
                      other than letters, digits and ``._@-``
    """
    if token in NO_TOKEN:
        token = DEFAULT_TOKEN
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise BadToken('Token %.40r is not valid: %s' % (token, _EXPECTED))
    roles = (match['roles'] or 'member').split(',')
    return Token(match['user'], tuple(add_implied_roles(roles)),
                 match['elsewhere'] is None)


def add_implied_roles(roles):
    """Add all implied roles.

    :returns: list of role names without duplicates, the given roles first
    """
    complete = list(roles)
    for role in roles:
        if role in IMPLIED_ROLES:
            complete += IMPLIED_ROLES[IMPLIED_ROLES.index(role):]
    return list(dict.fromkeys(complete))


def format_token(token):
    """Format a :class:`Token` for :func:`parse_token`."""
    return f'{token.user}:{",".join(token.roles)}' + (
        '' if token.is_admin_project else ':is_admin_project=False')


def project_of_path(path):
    """Return the project in a path like ``/v1/demo/stacks``."""
    match = _PROJECT.match(path)
    return match['project'] if match else DEFAULT_PROJECT
