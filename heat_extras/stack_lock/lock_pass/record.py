# SPDX-License-Identifier: Apache-2.0

"""The pass through a lock, as the register of locks has it."""

import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.stack_lock.lock_pass import holder
from heat_extras import timestamps

_lock = models.lock_table

#: What the register has of a pass; NULL, all of it, where there is none.
COLUMNS = tuple(column for column in _lock.c
                if column.name.startswith('pass_'))
#: The values of a lock that has none.
NOTHING = {column.name: None for column in COLUMNS}


def is_valid():
    """Return an expression: whether the pass of an entry can be used.

    Or is; one that is used does not end by the time.
    """
    return sqlalchemy.or_(_lock.c.pass_used_at.is_not(None),
                          _lock.c.pass_expires_at > db_time.now())


def of_lock(session, lock_id, is_held=False):
    """Read the pass of a lock that is valid.

    :param is_held: whether nobody is to change it until the transaction ends.
    :returns: a row with :data:`COLUMNS`, or None.
    """
    wanted = sqlalchemy.select(*COLUMNS).where(_lock.c.id == lock_id,
                                               is_valid())
    return session.execute(
        wanted.with_for_update() if is_held else wanted).first()


def holder_of(row):
    """Return the :class:`holder.Holder` of a pass."""
    return holder.Holder(row.pass_user_id, row.pass_user_name,
                         row.pass_user_domain)


def name_for(project, row):
    """Name the user of a pass to people, or return None.

    :param project: of the readers; nobody is named to another one than that
        which has granted it, as users of each other's are not known.
    """
    return (holder_of(row).describe()
            if project == row.pass_granted_by_project else None)


def shown(row, context, is_admins=False):
    """Return what answers tell of a pass.

    :param context: of who reads it; nobody is named to another project.
    :param is_admins: whether an administrator counts as one of it.
    """
    is_named = (context.project_id == row.pass_granted_by_project
                or (is_admins and context.is_admin))
    return {'user': holder_of(row).shown() if is_named else None,
            'expires_at': timestamps.to_iso(row.pass_expires_at),
            'reason': row.pass_reason,
            'granted_by': row.pass_granted_by if is_named else None,
            'granted_at': timestamps.to_iso(row.pass_granted_at),
            'used_at': timestamps.to_iso(row.pass_used_at)}


def clear(session, lock_id, only=()):
    """Forget the pass of a lock.

    :param only: expressions: what else is to be so.
    :returns: whether there was one.
    """
    return session.execute(
        sqlalchemy.update(_lock)
        .where(_lock.c.id == lock_id, _lock.c.pass_granted_at.is_not(None),
               *only)
        .values(NOTHING)).rowcount > 0
