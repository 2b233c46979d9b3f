# SPDX-License-Identifier: Apache-2.0

"""Marks of unhealthy resources, with what prevents a replacement."""

import functools

from heat.common import exception
from heat.db import models as heat_models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras.health import service
from heat_extras.heat_internals import guarded_stacks
from heat_extras import rpc_request

_resource = heat_models.Resource.__table__
_mark = models.mark_table

# heat.engine.resource.Resource.suspend and resume fail for this state.
_STOPS = ('suspend', 'resume')
# Every update would replace a marked resource, which might be forbidden.
_BLOCKED = (*_STOPS, 'update')


class HealthGuard(guard.Guard):
    """Checks requests to mark resources, and lists the marks."""

    def process(self, request, proceed):
        if request.operation != rpc_request.MARK_UNHEALTHY:
            return proceed()
        arguments = request.arguments
        request.mark = service.Mark(arguments['mark_unhealthy'] is True,
                                    arguments.pop('force', False) is True)
        proceed()
        return request.mark.to_body(arguments['resource_name'])

    def update_resource(self, resource, definition, proceed):
        service.force_replace(resource)
        return proceed()

    def list_guards(self, context, tree):
        """List the unhealthy resources, including results of a stack check.

        This needs one query. A stack is loaded only if a user marked one of
        its resources.
        """
        marked = sqlalchemy.and_(_mark.c.resource_id == _resource.c.id,
                                 _mark.c.stack_id == _resource.c.stack_id,
                                 _mark.c.reason == _resource.c.status_reason)
        rows = guarded_stacks.run_query(context, sqlalchemy.select(
            _resource.c.stack_id, _resource.c.name, _resource.c.status_reason,
            _mark.c.marked_by, _mark.c.marked_by_project, _mark.c.marked_at)
            .select_from(_resource.outerjoin(_mark, marked))
            .where(_resource.c.stack_id.in_(tree.ids),
                   _resource.c.action == 'CHECK',
                   _resource.c.status == 'FAILED'))
        load = functools.cache(functools.partial(_load_stack, context))
        return [_to_guard(context, tree, row, _find_resource(load, row))
                for row in rows]


def _load_stack(context, stack_id):
    try:
        return heat_stack.Stack.load(context, stack_id=stack_id)
    except exception.NotFound:
        # The stack was deleted since the query, or is of another project.
        return None


def _find_resource(load, row):
    stack = row.marked_at and load(row.stack_id)
    return stack and stack.resources.get(row.name)


def _to_guard(context, tree, row, resource):
    reasons = resource and service.list_blockers(resource, resource.stack)
    is_own = row.marked_by_project == context.project_id
    reset = ('openstack stack resource mark unhealthy --reset '
             f'{tree.name_of(row.stack_id)} {row.name}')
    reason = row.status_reason
    if reasons:
        reason = ' '.join([reason.rstrip('.') + '.', *reasons])
    return guard.GuardInfo(
        kind='unhealthy', stack_id=row.stack_id, name=row.name,
        stops=(_BLOCKED if reasons and resource.external_id is None
               else _STOPS),
        set_by=row.marked_by if is_own else None, set_at=row.marked_at,
        reason=reason, lifted_by='resource:mark_unhealthy',
        how_to_lift=(reset if reasons
                     else 'update the stack to replace the resource, or reset '
                          f'the mark: {reset}'))
