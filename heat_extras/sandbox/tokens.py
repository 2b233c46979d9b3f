# SPDX-License-Identifier: Apache-2.0

"""Tokens that say who somebody is, for a Heat that authenticates nobody."""

import re

DEFAULT_TOKEN = 'demo:member'
DEFAULT_PROJECT = 'demo'

# keystoneauth's plugin "none" (openstack --os-auth-type none) sends this
# word as its token: keystoneauth1.noauth.NoAuth.get_token.
NO_TOKEN = ('', 'notused')

# Like Keystone's default roles: each one implies those after it.
IMPLIED_ROLES = ('admin', 'manager', 'member', 'reader')

_TOKEN = re.compile(r'(?P<user>[\w.@-]{1,64})'
                    r'(?::(?P<roles>[\w-]+(?:,[\w-]+)*))?', re.ASCII)
# The cfn API's signals name it in the middle (heat.common.identifier).
_PROJECT = re.compile(r'/v1/(?:(?:signal|waitcondition)/arn:openstack:heat::)?'
                      r'(?P<project>[^/:]+)')
_WANTED = ('a token of the sandbox reads USER or USER:ROLE[,ROLE...], like '
           'alice:member or ops:admin')


class BadToken(Exception):
    """A token that names no user."""


def parse(token):
    """Split a token into its user and the roles that it gives.

    :param token: ``alice:member``, ``ops:admin,member``, ``bob``; without
                  a token it is the user demo
    :returns: user name, list of roles with the implied ones
    :raises BadToken: if there is no user or no role, or another character
                      than letters, digits and ``._@-``
    """
    if token in NO_TOKEN:
        token = DEFAULT_TOKEN
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise BadToken('Token %r is not understood: %s'
                       % (_shortened(token), _WANTED))
    roles = (found['roles'] or 'member').split(',')
    return found['user'], with_implied(roles)


def with_implied(roles):
    """Add the roles that *roles* imply.

    :returns: list of role names, each once, the given ones first
    """
    complete = list(roles)
    for role in roles:
        if role in IMPLIED_ROLES:
            complete += IMPLIED_ROLES[IMPLIED_ROLES.index(role):]
    return list(dict.fromkeys(complete))


def write(user, roles):
    """Write the token that :func:`parse` reads."""
    return '%s:%s' % (user, ','.join(roles))


def project_of(path):
    """Read the project from a path like ``/v1/demo/stacks``."""
    found = _PROJECT.match(path)
    return found['project'] if found else DEFAULT_PROJECT


def _shortened(token):
    return token if len(token) <= 40 else token[:37] + '...'
