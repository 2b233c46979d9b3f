# SPDX-License-Identifier: Apache-2.0

"""Read a page of the list of locks, in the engine."""

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import lock_record

_lock = models.lock_table
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
    bodies = expiry.add_fields(
        context, [_body(stack, context.project_id) for stack in rows[:limit]],
        ('id', 'expires_at', 'pass'))
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
            stacks += rows
            if len(rows) < batch:
                break
            marker = rows[-1].entry_id
    return stacks


def _query(count, marker, level, project, expires_before):
    columns = [_stack.c[name] for name in ('id', 'name', 'tenant',
                                           *lock_record.COLUMNS)]
    query = (sqlalchemy.select(*columns, _lock.c.id.label('entry_id'))
             .join(_lock, _lock.c.stack_id == _stack.c.id)
             .where(_stack.c.deleted_at.is_(None), models.is_locked(_stack)))
    if project is not None:
        query = query.where(_lock.c.project == project)
    if marker is not None:
        query = query.where(_lock.c.id > marker)
    if level is not None:
        query = query.where(sqlalchemy.or_(_stack.c.lock_level == level,
                                           _stack.c.lock_passing == level))
    if expires_before is not None:
        query = query.where(_lock.c.expires_at < expires_before)
    return query.order_by(_lock.c.id).limit(count)


def _body(stack, reader_project):
    lock = lock_record.Lock.from_row(stack)
    return {'id': lock.id, 'stack_id': stack.id, 'stack_name': stack.name,
            'project': stack.tenant, 'level': lock.level,
            'status': '_'.join(lock.state), 'reason': lock.reason,
            'locked_by': lock.locked_by_for(reader_project),
            'locked_at': lock.isotime(), 'expires_at': None, 'pass': None}
