# SPDX-License-Identifier: Apache-2.0

"""When which lock is to be lifted, in the register of locks.

The clock of the database judges; those of engines can be minutes apart.
"""

import datetime

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock import states

_lock = models.lock_table
_stack = heat_models.Stack.__table__

# Seconds until one that failed is tried again: doubled with each attempt. Each
# leaves events in the stack, also where credentials will never do again: so in
# the end it is one a day.
_FIRST_PAUSE, _LONGEST_PAUSE = 60, 86400
# More would be longer than the longest.
_DOUBLED = 11


class NotDue(Exception):
    """The lock is not to be lifted, at least not now."""


def due(context, count):
    """List the locks that are to be lifted, the longest due first.

    Not those that somebody is at work on, or goes through with a pass.

    :param count: at most so many.
    :returns: rows with the ``id`` of the lock, ``stack_id`` and
        ``lift_attempts``.
    """
    wanted = (
        sqlalchemy.select(_lock.c.id, _lock.c.stack_id, _lock.c.lift_attempts)
        .join(_stack, sqlalchemy.and_(*models.entered(_stack)))
        .where(_lock.c.lift_at <= db_time.now(), _stack.c.deleted_at.is_(None),
               _stack.c.lock_level.is_not(None), sqlalchemy.or_(
                   _stack.c.lock_status.is_(None),
                   _stack.c.lock_status != states.IN_PROGRESS))
        .order_by(_lock.c.lift_at).limit(count))
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(wanted).all()


@retries.on_db_error
def claim(context, entry):
    """Take a lock that is due, and say when it is due again.

    An engine that dies from here on needs no other word.

    :returns: False when another engine has, or its end is another one now.
    """
    with db_api.context_manager.writer.independent.using(context) as session:
        pause = _FIRST_PAUSE * 2 ** min(entry.lift_attempts, _DOUBLED)
        again = db_time.read(session) + datetime.timedelta(
            seconds=min(pause, _LONGEST_PAUSE))
        return session.execute(
            sqlalchemy.update(_lock)
            .where(_lock.c.id == entry.id,
                   _lock.c.lift_attempts == entry.lift_attempts,
                   _lock.c.lift_at <= db_time.now())
            .values(lift_at=again, lift_attempts=entry.lift_attempts + 1)
        ).rowcount > 0


def insist(session, lock_id):
    """Go on only when the end of a lock has come.

    In the transaction that holds the rows of its tree, without which nobody
    changes its end; but on another server of Galera, which knows nothing of
    these rows. So this changes the entry, as that does, and one of them fails.

    :raises NotDue: when it has not.
    """
    due_again = session.scalar(sqlalchemy.select(_lock.c.lift_at).where(
        _lock.c.id == lock_id, _lock.c.expires_at <= db_time.now()))
    if due_again is None:
        raise NotDue()
    session.execute(
        sqlalchemy.update(_lock).where(_lock.c.id == lock_id)
        .values(lift_at=due_again + datetime.timedelta(seconds=1)))


def checker(lock_id):
    """Make the check of the root's lock, as :func:`ledger.unlock_tree` asks.

    :returns: a function of a :class:`lock_record.Lock` that raises
        :class:`NotDue`.
    """
    def check(lock):
        if (lock.id != lock_id or lock.is_passing
                or lock.refuses(states.UNLOCK)):
            raise NotDue()
    return check
