# SPDX-License-Identifier: Apache-2.0

"""The table of locks: one row for each locked root stack, by the lock's ID.

It is written in the transaction that locks or unlocks. If an engine without
stack_lock deletes a stack, the row of its lock remains.
"""

from sqlalchemy import sql

from heat_extras.db import models

_lock = models.lock_table


def replace_lock(session, root, lock_id, expires_at):
    """Insert the row of a lock, in place of an earlier lock.

    :param root: the row of its root stack.
    :param expires_at: a time in UTC with whole seconds, or None.
    """
    delete_lock(session, root.id)
    session.execute(sql.insert(_lock).values(
        id=lock_id, stack_id=root.id, project=root.tenant,
        expires_at=expires_at, unlock_at=expires_at, unlock_attempts=0))


def read_expiration(session, lock_id):
    """Return the expiration of a lock, or None."""
    return session.scalar(
        sql.select(_lock.c.expires_at).where(_lock.c.id == lock_id))


def delete_lock(session, root_id):
    """Delete the row of the lock of a tree."""
    session.execute(sql.delete(_lock).where(_lock.c.stack_id == root_id))
