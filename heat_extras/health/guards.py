# SPDX-License-Identifier: Apache-2.0

"""The guards that health knows: resources in CHECK_FAILED."""

import functools

from heat.common import exception
from heat.db import models as heat_models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras.health import replacement
from heat_extras.health import words
from heat_extras.heat_internals import guard_tree

_resource = heat_models.Resource.__table__
_mark = models.mark_table

# heat.engine.resource.Resource.suspend and resume refuse it.
_STOPS = ('suspend', 'resume')
# Every update would replace a marked resource, which may be forbidden.
_BLOCKED = (*_STOPS, 'update')


def list_guards(context, found):
    """List the unhealthy resources, those of a stack check included.

    One query, and a stack is loaded only where one of its resources is
    marked.
    """
    marked = sqlalchemy.and_(_mark.c.resource_id == _resource.c.id,
                             _mark.c.stack_id == _resource.c.stack_id,
                             _mark.c.reason == _resource.c.status_reason)
    rows = guard_tree.rows(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name, _resource.c.status_reason,
        _mark.c.marked_by, _mark.c.marked_by_project, _mark.c.marked_at)
        .select_from(_resource.outerjoin(_mark, marked))
        .where(_resource.c.stack_id.in_(found.ids),
               _resource.c.action == 'CHECK',
               _resource.c.status == 'FAILED'))
    load = functools.cache(functools.partial(_load, context))
    return [_guard(context, found, row, _blockers(load, row))
            for row in rows]


def _load(context, stack_id):
    try:
        return heat_stack.Stack.load(context, stack_id=stack_id)
    except exception.NotFound:
        # Deleted since the query.
        return None


def _blockers(load, row):
    """List what stops the replacement of a marked resource."""
    if row.marked_at is None:
        return []
    stack = load(row.stack_id)
    resource = stack and stack.resources.get(row.name)
    return [] if resource is None else replacement.obstacles(resource, stack)


def _guard(context, found, row, blockers):
    is_own = row.marked_by_project == context.project_id
    how = words.how_to_reset if blockers else words.how_to_lift
    return guard.Guard(
        kind='unhealthy', stack_id=row.stack_id, name=row.name,
        stops=_BLOCKED if blockers else _STOPS,
        set_by=row.marked_by if is_own else None, set_at=row.marked_at,
        reason=_reason(row.status_reason, blockers),
        lifted_by='resource:mark_unhealthy',
        how_to_lift=how(row.name, found.name_of(row.stack_id)))


def _reason(reason, blockers):
    if not blockers:
        return reason
    return ' '.join([reason.rstrip('.') + '.', *blockers])
