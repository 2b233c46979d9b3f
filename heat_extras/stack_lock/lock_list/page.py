# SPDX-License-Identifier: Apache-2.0

"""A page of the list of locks.

First the register is read, which is as small as there are lock, from the
marker on; then those stacks alone. What does not count any more is left out,
and the register read on until the page is full.
"""

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock.expiry import ends
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock import lock_record

_lock = models.lock_table
_stack = heat_models.Stack.__table__


def answer(context, limit, marker, level, all_projects, expires_before=None):
    """List the locks that are in force, as the API answers them.

    :returns: a dict with ``locks``, and the ``marker`` of the page that
        follows, None where none does.
    """
    found = read(context, limit + 1, marker, level,
                 None if all_projects else context.project_id,
                 terms.read(expires_before))
    shown = ends.complete(
        context, [_body(stack, context.project_id) for stack in found[:limit]],
        ('id', 'expires_at', 'pass'))
    return {'locks': shown,
            'marker': shown[-1]['id'] if found[limit:] else None}


# So many stacks are read at once: of more, PostgreSQL would rather read all
# that there are.
_BATCH = 128


def read(context, count, marker=None, level=None, project=None,
         expires_before=None):
    """Read the rows of the stacks whose locks come first after a marker.

    :param count: how many are wanted.
    :param project: None: of all.
    :param expires_before: only those that have an end, and before this.
    """
    found, is_over, batch = [], False, min(count, _BATCH)
    with db_api.context_manager.reader.independent.using(context) as session:
        while not is_over and len(found) < count:
            entries = session.execute(_entries(
                batch, marker, project, expires_before)).all()
            is_over = len(entries) < batch
            if entries:
                found += _in_force(session, entries, level)
                marker = entries[-1].id
            # Of another level, or left over: there may be many of them.
            batch = _BATCH
    return found[:count]


def _entries(count, marker, project, expires_before):
    chosen = sqlalchemy.select(_lock.c.id, _lock.c.stack_id)
    if project is not None:
        chosen = chosen.where(_lock.c.project == project)
    if marker is not None:
        chosen = chosen.where(_lock.c.id > marker)
    if expires_before is not None:
        chosen = chosen.where(_lock.c.expires_at < expires_before)
    return chosen.order_by(_lock.c.id).limit(count)


def _in_force(session, entries, level):
    columns = [_stack.c[name] for name in ('id', 'name', 'tenant',
                                           *lock_record.COLUMNS)]
    rows = {row.id: row for row in session.execute(
        sqlalchemy.select(*columns).where(
            _stack.c.id.in_([entry.stack_id for entry in entries]),
            _stack.c.deleted_at.is_(None)))}
    found = [(entry.id, rows[entry.stack_id],
              lock_record.Lock.from_row(rows[entry.stack_id]))
             for entry in entries if entry.stack_id in rows]
    return [row for lock_id, row, lock in found
            if lock.id == lock_id and level in (None, lock.level)]


def _body(stack, reader_project):
    lock = lock_record.Lock.from_row(stack)
    return {'id': lock.id, 'stack_id': stack.id, 'stack_name': stack.name,
            'project': stack.tenant, 'level': lock.level,
            'status': '_'.join(lock.state), 'reason': lock.reason,
            'locked_by': lock.locked_by_for(reader_project),
            'locked_at': lock.isotime(), 'expires_at': None, 'pass': None}
