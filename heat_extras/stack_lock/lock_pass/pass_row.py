# SPDX-License-Identifier: Apache-2.0

"""The lock pass in the lock table, and its user.

A caller is compared with the user of a pass by Keystone's data of the token,
which each request has. The user is not queried when a pass is granted.
"""

import dataclasses
import typing

import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.heat_internals import caller
from heat_extras import sanitize
from heat_extras import timestamps

_lock = models.guard_table

#: The columns of a pass. Without a pass, all of them are NULL.
COLUMNS = tuple(column for column in _lock.c
                if column.name.startswith('pass_'))

# The size of the columns for a user.
_LENGTH = sanitize.LINE
_BY_ID, _BY_NAME = {'id'}, {'name', 'domain'}


@dataclasses.dataclass(frozen=True)
class User:
    """The user of a pass: an ID, or a name and a domain.

    :param domain: the ID or the name of the domain.
    """

    id: str | None = None
    name: str | None = None
    domain: str | None = None

    @classmethod
    def from_row(cls, row: typing.Any) -> 'User':
        return cls(row.pass_user_id, row.pass_user_name, row.pass_user_domain)

    def to_dict(self) -> dict:
        """Return the user as in requests and responses."""
        if self.name is None:
            return {'id': self.id}
        return {'name': self.name, 'domain': self.domain}

    def describe(self) -> str:
        """Describe the user for a message."""
        return (f'the user with the ID {self.id}' if self.name is None
                else f'user {self.name} of domain {self.domain}')

    def is_caller(self, context: typing.Any) -> bool:
        """Return whether a caller is this user, without a trust.

        :param context: the heat.common.context.RequestContext of the request.
        """
        token = caller.token_data(context)
        user = token.get('user') or {}
        if not user or _has_trust(context, token):
            return False
        if self.name is None:
            return self.id is not None and user.get('id') == self.id
        domain = user.get('domain') or {}
        return user.get('name') == self.name and self.domain in (
            domain.get('id'), domain.get('name'))


def parse_user(user: object) -> User:
    """Parse the user in a request.

    :raises ValueError: with the value that is not valid.
    """
    if (not isinstance(user, dict) or set(user) not in (_BY_ID, _BY_NAME)
            or not all(map(_is_text, user.values()))):
        raise ValueError(
            f'Invalid user of lock_pass: {sanitize.quote(user)} must be '
            '{"id": "..."} or {"name": "...", "domain": "..."}.')
    return User(**user)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LENGTH


def _has_trust(context: typing.Any, token: dict) -> bool:
    return bool(token.get('OS-TRUST:trust') or context.trust_id
                or context.trustor_user_id)


def is_valid():
    """Return an expression whether the pass of a row is usable or in use.

    The expiration of a pass in use does not count.
    """
    return sqlalchemy.or_(_lock.c.pass_used_at.is_not(None),
                          _lock.c.pass_expires_at > db_time.now())


def lock_valid(session, lock_id):
    """Lock the row of a lock whose pass is usable or in use, and read it.

    :returns: a row with :data:`COLUMNS`, or None.
    """
    query = sqlalchemy.select(*COLUMNS).where(_lock.c.id == lock_id,
                                              is_valid())
    return session.execute(query.with_for_update()).first()


def user_name_for(project, row):
    """Describe the user of a pass, or return None for another project.

    :param project: the ID of the readers' project. Only the project that has
        granted the pass may know its users.
    """
    return (User.from_row(row).describe()
            if project == row.pass_granted_by_project else None)


def to_or_by_user(user_name):
    """Describe the user of a pass, or that another project has granted it.

    Another project can also have granted the pass to a user of the readers'
    project.

    :param user_name: the result of :func:`user_name_for`.
    """
    return ('by a user of another project' if user_name is None
            else f'to {user_name}')


def describe(row, project):
    """Return a sentence about the valid pass of a row, or None.

    :param row: the row, or None without a pass.
    :param project: as for :func:`user_name_for`.
    """
    return row and (
        ' The stack already has a lock pass, granted '
        f'{to_or_by_user(user_name_for(project, row))} until '
        f'{timestamps.to_iso(row.pass_expires_at)}.')


def to_dict(row, context, is_admins=False):
    """Return a pass as in responses.

    :param context: the context of the reader. Other projects do not see the
        users.
    :param is_admins: whether an administrator of another project sees them.
    """
    is_named = (context.project_id == row.pass_granted_by_project
                or (is_admins and context.is_admin))
    return {'user': User.from_row(row).to_dict() if is_named else None,
            'expires_at': timestamps.to_iso(row.pass_expires_at),
            'reason': row.pass_reason,
            'granted_by': row.pass_granted_by if is_named else None,
            'granted_at': timestamps.to_iso(row.pass_granted_at),
            'used_at': timestamps.to_iso(row.pass_used_at)}


def clear_pass(session, lock_id, *criteria):
    """Remove the pass of a lock.

    :param criteria: further conditions of the row.
    :returns: whether there was a pass.
    """
    return session.execute(
        sqlalchemy.update(_lock)
        .where(_lock.c.id == lock_id, _lock.c.pass_granted_at.is_not(None),
               *criteria)
        .values({column.name: None for column in COLUMNS})).rowcount > 0
