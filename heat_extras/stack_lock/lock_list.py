# SPDX-License-Identifier: Apache-2.0

"""Read a page of the list of locks, in the engine."""

from heat.db import api as db_api
from heat.db import models as heat_models
from sqlalchemy import sql

from heat_extras.db import models
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras import timestamps

_lock = models.guard_table
_stack = heat_models.Stack.__table__
# For a larger limit, PostgreSQL would read the whole table of stacks.
_BATCH = 128


def list_locks(service, context, limit, marker=None, level=None,
               all_projects=False, expires_before=None):
    """List the locks in effect as in the response of the API, ordered by ID.

    :param service: the heat.engine.service.EngineService of the request.
    :param marker: list only locks after this ID.
    :param expires_before: list only locks that expire before this time.
    :returns: a dict with ``locks``, and the ``marker`` of the next page or
        None.
    """
    rows = read_rows(context, limit + 1, marker, level,
                     None if all_projects else context.project_id,
                     expiry.parse_expiration(expires_before))
    bodies = [_body(row, context) for row in rows[:limit]]
    return {'locks': bodies,
            'marker': bodies[-1]['id'] if rows[limit:] else None}


def read_rows(context, count, marker=None, level=None, project=None,
              expires_before=None):
    """Read the rows of the stacks with the first locks after a marker.

    :param count: the maximum number of rows.
    :param project: the ID of a project, or None for all projects.
    :param expires_before: read only locks that expire before this time.
    """
    stacks = []
    with db_api.context_manager.reader.independent.using(context) as session:
        while len(stacks) < count:
            batch = min(count - len(stacks), _BATCH)
            rows = session.execute(_query(
                batch, marker, level, project, expires_before)).all()
            # Rows of earlier locks are skipped here: with this condition in
            # the query, PostgreSQL would read whole tables.
            stacks += [row for row in rows if row.id == row.lock_id]
            if len(rows) < batch:
                break
            marker = rows[-1].id
    return stacks


def _query(count, marker, level, project, expires_before):
    query = (sql.select(_stack.c.name, *guard_row.row_columns())
             .join_from(_lock, _stack, _stack.c.id == _lock.c.stack_id)
             .where(_lock.c.kind == models.LOCK,
                    _stack.c.deleted_at.is_(None), models.is_locked(_stack)))
    if project is not None:
        query = query.where(_lock.c.project == project)
    if marker is not None:
        query = query.where(_lock.c.id > marker)
    if level is not None:
        query = query.where(_lock.c.level == level)
    if expires_before is not None:
        query = query.where(_lock.c.expires_at < expires_before)
    return query.order_by(_lock.c.id).limit(count)


def _body(row, context):
    lock, reader = lock_record.Lock.from_row(row), context.project_id
    return {'id': lock.id, 'stack_id': row.stack_id, 'stack_name': row.name,
            'project': row.project, 'level': lock.level,
            'status': '_'.join(lock.state), 'reason': lock.reason,
            'locked_by': lock.set_by_for(reader),
            'locked_at': lock.isotime(),
            'expires_at': timestamps.to_iso(lock.expires_at),
            'pass': lock.pass_body(context)}
