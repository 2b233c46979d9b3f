# SPDX-License-Identifier: Apache-2.0

"""The ends of locks, and their passes, as the lock table has them."""

import dataclasses

from heat.db import api as db_api
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock.lock_pass import words
from heat_extras import timestamps

_lock = models.lock_table
_AT_A_TIME = 1000


def of_locks(context, lock_ids):
    """Read the ends of some locks, and the passes through them.

    :returns: a dict from the ids of those that have either to rows with
        ``expires_at``, ``has_pass`` and :data:`record.COLUMNS`.
    """
    found, ids = {}, sorted(lock_ids)
    for start in range(0, len(ids), _AT_A_TIME):
        with db_api.context_manager.reader.independent.using(
                context) as session:
            found.update((row.id, row) for row in session.execute(
                sqlalchemy.select(
                    _lock.c.id, _lock.c.expires_at, *record.COLUMNS,
                    record.is_valid().label('has_pass'))
                .where(_lock.c.id.in_(ids[start:start + _AT_A_TIME]),
                       sqlalchemy.or_(
                           _lock.c.expires_at.is_not(None),
                           _lock.c.pass_granted_at.is_not(None)))))
    return found


def complete(context, infos, keys, is_admins=False):
    """Write the ends and passes of locks into bodies that are shown.

    :param infos: dicts; unlocked stacks cost no statement.
    :param keys: under which a body has the id of its lock, and gets the end
        and the pass.
    :param is_admins: see :func:`record.shown`.
    """
    id_key, end_key, pass_key = keys
    ids = {info.get(id_key) for info in infos} - {None}
    found = of_locks(context, ids)
    for info in infos:
        row = found.get(info.get(id_key))
        if row is not None:
            info[end_key] = timestamps.to_iso(row.expires_at)
            info[pass_key] = (record.shown(row, context, is_admins)
                              if row.has_pass else None)
    return infos


def with_end(context, lock):
    """Return a :class:`locks.Lock` together with its end and pass."""
    if lock.id is None:
        return lock
    row = of_locks(context, [lock.id]).get(lock.id)
    if row is None:
        return lock
    return dataclasses.replace(
        lock, expires_at=row.expires_at,
        granted=_told(row, context.project_id) if row.has_pass else None)


def _told(row, project):
    return words.there_is(record.name_for(project, row),
                          timestamps.to_iso(row.pass_expires_at))
