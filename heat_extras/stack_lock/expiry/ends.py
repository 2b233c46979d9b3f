# SPDX-License-Identifier: Apache-2.0

"""The ends of locks, as the register has them.

They are in no column of Heat's table: an engine of an older release would
leave one there that belongs to a lock before.
"""

import dataclasses

from heat.db import api as db_api
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock.expiry import moment

_lock = models.lock_table
_AT_A_TIME = 1000


def of_locks(context, lock_ids):
    """Read the ends of some locks.

    :returns: a dict from the ids of those that have one to their ends.
    """
    found, ids = {}, sorted(lock_ids)
    for start in range(0, len(ids), _AT_A_TIME):
        with db_api.context_manager.reader.independent.using(
                context) as session:
            found.update(map(tuple, session.execute(
                sqlalchemy.select(_lock.c.id, _lock.c.expires_at)
                .where(_lock.c.id.in_(ids[start:start + _AT_A_TIME]),
                       _lock.c.expires_at.is_not(None)))))
    return found


def complete(context, infos, id_key, end_key):
    """Write the ends of locks into bodies that are shown.

    :param infos: dicts; unlocked stacks cost no statement.
    :param id_key: under which a body has the id of its lock.
    :param end_key: under which it gets the end.
    """
    ids = {info.get(id_key) for info in infos} - {None}
    found = of_locks(context, ids)
    for info in infos:
        if info.get(id_key) in ids:
            info[end_key] = moment.shown(found.get(info[id_key]))
    return infos


def with_end(context, lock):
    """Return a :class:`locks.Lock` together with its end."""
    if lock.id is None:
        return lock
    return dataclasses.replace(
        lock, expires_at=of_locks(context, [lock.id]).get(lock.id))
