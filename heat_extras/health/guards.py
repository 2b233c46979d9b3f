# SPDX-License-Identifier: Apache-2.0

"""The guards that health knows: resources in CHECK_FAILED."""

from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras.health import words
from heat_extras.host import trees

_resource = heat_models.Resource.__table__
_mark = models.mark_table

# heat.engine.resource.Resource.suspend and resume refuse it.
_STOPS = ('suspend', 'resume')


def list_guards(context, found):
    """List the unhealthy resources, those of a stack check included."""
    marked = sqlalchemy.and_(_mark.c.resource_id == _resource.c.id,
                             _mark.c.stack_id == _resource.c.stack_id,
                             _mark.c.reason == _resource.c.status_reason)
    rows = trees.rows(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name, _resource.c.status_reason,
        _mark.c.marked_by, _mark.c.marked_by_project, _mark.c.marked_at)
        .select_from(_resource.outerjoin(_mark, marked))
        .where(_resource.c.stack_id.in_(found.ids),
               _resource.c.action == 'CHECK',
               _resource.c.status == 'FAILED'))
    return [_guard(context, found, row) for row in rows]


def _guard(context, found, row):
    is_own = row.marked_by_project == context.project_id
    return guard.Guard(
        kind='unhealthy', stack_id=row.stack_id, stops=_STOPS, name=row.name,
        set_by=row.marked_by if is_own else None, set_at=row.marked_at,
        reason=row.status_reason, lifted_by='resource:mark_unhealthy',
        how_to_lift=words.how_to_lift(row.name, found.name_of(row.stack_id)))
