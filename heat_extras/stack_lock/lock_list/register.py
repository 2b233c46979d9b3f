# SPDX-License-Identifier: Apache-2.0

"""The register of locks, by their id: one row for each locked root.

It is written in the transaction that locks or unlocks. What an engine of an
older release does leaves a row behind, or has none: a row counts only while
the stack says that the lock in force has its id.
"""

from oslo_utils import uuidutils
from sqlalchemy import sql

from heat_extras.db import db_time
from heat_extras.db import models

_lock = models.lock_table


def enter(session, root, lock_id=None, expires_at=None, is_passing=False):
    """Enter the lock that is about to be written, under an id.

    :param root: the row of its root stack.
    :param lock_id: the one that it has already; by default a new one.
    :param expires_at: its end, UTC in whole seconds.
    :param is_passing: whether an update goes through it, with a pass of
        which nothing more is known.
    :returns: the id.
    """
    strike(session, root.id)
    lock_id = lock_id or uuidutils.generate_uuid()
    session.execute(sql.insert(_lock).values(
        id=lock_id, stack_id=root.id, project=root.tenant,
        expires_at=expires_at, lift_at=expires_at, lift_attempts=0,
        pass_used_at=db_time.now() if is_passing else None))
    return lock_id


def expires_at(session, lock_id):
    """Return the expiration of a lock, or None."""
    return session.scalar(
        sql.select(_lock.c.expires_at).where(_lock.c.id == lock_id))


def has(session, root_id, lock_id):
    """Return whether a lock is entered; one without an id never is."""
    return lock_id is not None and session.scalar(
        sql.select(_lock.c.id).where(_lock.c.id == lock_id,
                                     _lock.c.stack_id == root_id)) is not None


def strike(session, root_id):
    """Forget the lock of a tree."""
    session.execute(sql.delete(_lock).where(_lock.c.stack_id == root_id))


def forget(session, ids):
    """Forget locks that are over: none of them comes into force again."""
    session.execute(sql.delete(_lock).where(_lock.c.id.in_(ids)))
