# SPDX-License-Identifier: Apache-2.0

"""The lock pass, as the lock table has it, and its user.

A caller is compared with the user of a pass by Keystone's data on the token,
which comes with each request. The user is not queried when a pass is granted.
"""

import dataclasses
import typing

import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.heat_internals import caller
from heat_extras import sanitize
from heat_extras import timestamps

_lock = models.lock_table

#: The columns of a pass; all of them are NULL without a pass.
COLUMNS = tuple(column for column in _lock.c
                if column.name.startswith('pass_'))

# As the columns for a user are.
_LENGTH = sanitize.LINE
_BY_ID, _BY_NAME = {'id'}, {'name', 'domain'}


@dataclasses.dataclass(frozen=True)
class User:
    """The user of a pass: by its id, or by its name and domain.

    :param domain: the id or the name of the domain.
    """

    id: str | None = None
    name: str | None = None
    domain: str | None = None

    @classmethod
    def from_row(cls, row: typing.Any) -> 'User':
        return cls(row.pass_user_id, row.pass_user_name, row.pass_user_domain)

    def to_dict(self) -> dict:
        """Return the user as requests and answers have it."""
        if self.name is None:
            return {'id': self.id}
        return {'name': self.name, 'domain': self.domain}

    def describe(self) -> str:
        """Name the user to people."""
        return (f'the user with the id {self.id}' if self.name is None
                else f'user {self.name} of domain {self.domain}')

    def is_caller(self, context: typing.Any) -> bool:
        """Return whether a caller is this user, without a trust.

        :param context: of the request, a heat.common.context.RequestContext.
        """
        token = caller.token_data(context)
        found = token.get('user') or {}
        if not found or _is_of_trust(context, token):
            return False
        if self.name is None:
            return self.id is not None and found.get('id') == self.id
        domain = found.get('domain') or {}
        return found.get('name') == self.name and self.domain in (
            domain.get('id'), domain.get('name'))


def parse_user(sent: object) -> User:
    """Parse the user that a request names.

    :raises ValueError: naming the value that is not valid.
    """
    if (not isinstance(sent, dict) or set(sent) not in (_BY_ID, _BY_NAME)
            or not all(map(_is_word, sent.values()))):
        raise ValueError(
            f'Invalid user of lock_pass: {sanitize.quote(sent)} must be '
            '{"id": "..."} or {"name": "...", "domain": "..."}.')
    return User(**sent)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LENGTH


def _is_of_trust(context: typing.Any, token: dict) -> bool:
    return bool(token.get('OS-TRUST:trust') or context.trust_id
                or context.trustor_user_id)


def is_valid():
    """Return an expression: whether the pass of a row can be used, or is.

    The expiration of a pass in use does not count.
    """
    return sqlalchemy.or_(_lock.c.pass_used_at.is_not(None),
                          _lock.c.pass_expires_at > db_time.now())


def read_valid(session, lock_id, for_update=False):
    """Read the pass of a lock that can be used, or is.

    :returns: a row with :data:`COLUMNS`, or None.
    """
    query = sqlalchemy.select(*COLUMNS).where(_lock.c.id == lock_id,
                                              is_valid())
    return session.execute(
        query.with_for_update() if for_update else query).first()


def user_name_for(project, row):
    """Name the user of a pass to people, or return None.

    :param project: of the readers. Other projects than the one that has
        granted the pass do not know its users.
    """
    return (User.from_row(row).describe()
            if project == row.pass_granted_by_project else None)


def to_or_by_whom(user_name):
    """Return to whom a pass was granted, or by whom.

    The user can be one of this project, also where another one has named it.

    :param user_name: as :func:`user_name_for` returns it.
    """
    return ('by a user of another project' if user_name is None
            else f'to {user_name}')


def to_dict(row, context, is_admins=False):
    """Return a pass as answers have it.

    :param context: of the reader; users are not named to other projects.
    :param is_admins: whether an administrator counts as one of it.
    """
    is_named = (context.project_id == row.pass_granted_by_project
                or (is_admins and context.is_admin))
    return {'user': User.from_row(row).to_dict() if is_named else None,
            'expires_at': timestamps.to_iso(row.pass_expires_at),
            'reason': row.pass_reason,
            'granted_by': row.pass_granted_by if is_named else None,
            'granted_at': timestamps.to_iso(row.pass_granted_at),
            'used_at': timestamps.to_iso(row.pass_used_at)}


def clear(session, lock_id, *criteria):
    """Remove the pass of a lock.

    :param criteria: expressions that the row has to meet.
    :returns: whether there was one.
    """
    return session.execute(
        sqlalchemy.update(_lock)
        .where(_lock.c.id == lock_id, _lock.c.pass_granted_at.is_not(None),
               *criteria)
        .values({column.name: None for column in COLUMNS})).rowcount > 0
