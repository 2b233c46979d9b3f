# SPDX-License-Identifier: Apache-2.0

"""List unhealthy resources as guards, with what prevents a replacement.

Other features add reasons by an entry point in ``heat_extras.obstacles``: a
function that takes the resource and its stack, and returns a list of texts.
"""

import functools

from heat.common import exception
from heat.db import models as heat_models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.db import models
from heat_extras import guard
from heat_extras import guard_loader
from heat_extras.heat_internals import guard_tree

NAMESPACE = 'heat_extras.obstacles'

_resource = heat_models.Resource.__table__
_mark = models.mark_table

# heat.engine.resource.Resource.suspend and resume fail for this state.
_STOPS = ('suspend', 'resume')
# Every update would replace a marked resource, which might be forbidden.
_BLOCKED = (*_STOPS, 'update')


def list_guards(context, tree):
    """List the unhealthy resources, including results of a stack check.

    This needs one query. A stack is loaded only if a user marked one of its
    resources.
    """
    marked = sqlalchemy.and_(_mark.c.resource_id == _resource.c.id,
                             _mark.c.stack_id == _resource.c.stack_id,
                             _mark.c.reason == _resource.c.status_reason)
    rows = guard_tree.run_query(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name, _resource.c.status_reason,
        _mark.c.marked_by, _mark.c.marked_by_project, _mark.c.marked_at)
        .select_from(_resource.outerjoin(_mark, marked))
        .where(_resource.c.stack_id.in_(tree.ids),
               _resource.c.action == 'CHECK',
               _resource.c.status == 'FAILED'))
    load = functools.cache(functools.partial(_load_stack, context))
    return [_to_guard(context, tree, row, _find_resource(load, row))
            for row in rows]


def replace_blockers(resource, stack):
    """List the reasons why the next update cannot replace a resource.

    :param stack: the loaded stack of the resource.
    :returns: a list of texts.
    """
    if resource.external_id is not None:
        # Heat skips it in an update (heat.engine.resource.Resource.update).
        return [f'Resource {resource.name} has an external_id. Heat did not '
                'create this resource, and never replaces it. The next update '
                'removes the mark.']
    blockers = []
    if 'replace' in stack.env.registry.get_rsrc_restricted_actions(
            resource.name):
        blockers.append(
            f'The environment of stack {stack.name} forbids the replacement '
            f'of resource {resource.name} (restricted_actions). Every update '
            'will fail until the environment allows the replacement, or until '
            'the mark is reset.')
    for list_blockers in guard_loader.load(NAMESPACE):
        blockers.extend(list_blockers(resource, stack))
    return blockers


def start():
    """Load the entry points, so that an error stops the engine's start."""
    guard_loader.load(NAMESPACE)


def stop():
    """Undo start(), for which no action is needed."""


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
    blockers = resource and replace_blockers(resource, resource.stack)
    is_own = row.marked_by_project == context.project_id
    reset = ('openstack stack resource mark unhealthy --reset '
             f'{tree.name_of(row.stack_id)} {row.name}')
    reason = row.status_reason
    if blockers:
        reason = ' '.join([reason.rstrip('.') + '.', *blockers])
    return guard.Guard(
        kind='unhealthy', stack_id=row.stack_id, name=row.name,
        stops=(_BLOCKED if blockers and resource.external_id is None
               else _STOPS),
        set_by=row.marked_by if is_own else None, set_at=row.marked_at,
        reason=reason, lifted_by='resource:mark_unhealthy',
        how_to_lift=(reset if blockers
                     else 'update the stack to replace the resource, or reset '
                          f'the mark: {reset}'))
