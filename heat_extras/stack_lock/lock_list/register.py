# SPDX-License-Identifier: Apache-2.0

"""The register of locks, by their id: one row for each locked root.

It is written in the transaction that locks or unlocks. When an engine without
stack_lock deletes a stack, the row of its lock is left over.
"""

from sqlalchemy import sql

from heat_extras.db import models

_lock = models.lock_table


def enter(session, root, lock_id, expires_at):
    """Enter the lock that is about to be written, in place of one before.

    :param root: the row of its root stack.
    :param expires_at: its end, UTC in whole seconds.
    """
    strike(session, root.id)
    session.execute(sql.insert(_lock).values(
        id=lock_id, stack_id=root.id, project=root.tenant,
        expires_at=expires_at, lift_at=expires_at, lift_attempts=0))


def expires_at(session, lock_id):
    """Return the expiration of a lock, or None."""
    return session.scalar(
        sql.select(_lock.c.expires_at).where(_lock.c.id == lock_id))


def strike(session, root_id):
    """Forget the lock of a tree."""
    session.execute(sql.delete(_lock).where(_lock.c.stack_id == root_id))
