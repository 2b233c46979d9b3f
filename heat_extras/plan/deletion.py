# SPDX-License-Identifier: Apache-2.0

"""The plan of a deletion: each resource, and what stops the deletion.

A deletion needs no prediction. Heat decides by the definition that a resource
was last updated to (Resource.delete).
"""

import graphlib

from heat.engine import resource

from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import guarded_stacks
from heat_extras.plan import reviewed_request
from heat_extras.plan import stack_plan
from heat_extras.plan import unknown

RETAINED, SNAPSHOT = 'retained', 'snapshot'

_DELETE = 'delete'


def preview_delete(engine, context, stack_identity):
    """Return the plan of the deletion of a stack, which changes nothing.

    :param engine: the heat.engine.service.EngineService.
    :returns: the lists ``plan`` and ``plan_stops``, as in a preview of an
        update. The resources of each stack are in the order of their
        deletion. Heat deletes those that do not depend on each other at the
        same time.
    """
    row = engine._get_stack(context, stack_identity)
    tree = guarded_stacks.load_tree(context, row, nested=True)
    return {
        'plan': list(_entries(stack_plan.load_plan(context, row.id), ())),
        'plan_stops': [_stop_of(tree, info).body()
                       for info in gate.list_guards(context, tree)
                       if info.blocks(_DELETE)]}


def _entries(plan, path):
    """Yield the entries of a stack, each before those of its nested stack."""
    for name in _list_in_order(plan):
        here = (*path, name)
        action, reason = _action_of(plan.current_definition(name),
                                    plan.rows[name])
        yield _entry(plan, here, action, reason)
        if plan.is_nested(name) and action != RETAINED:
            with unknown.suppress_errors():
                # Somebody may have deleted the nested stack.
                yield from list(_entries(plan.present_child(name), here))


def _list_in_order(plan):
    """List the resources, each before those that it depends on."""
    names = plan.existing_names()
    graph = {}
    for name in names:
        definition = plan.current_definition(name)
        graph[name] = sorted(definition.required_resource_names().intersection(
            names)) if definition else ()
    return list(graphlib.TopologicalSorter(graph).static_order())[::-1]


def _action_of(definition, row):
    """Return the action of a deletion on a resource, and its reason."""
    if definition is None:
        return reviewed_request.REMOVED, None
    if definition.external_id() is not None:
        return RETAINED, 'it has an external_id'
    policy = definition.deletion_policy()
    if policy == definition.RETAIN:
        return RETAINED, f'its deletion_policy is {policy}'
    if policy != definition.SNAPSHOT:
        return reviewed_request.REMOVED, None
    if row.status == resource.Resource.FAILED:
        return reviewed_request.REMOVED, (
            f'its deletion_policy is {policy}, but Heat makes no snapshot of '
            'a failed resource')
    return SNAPSHOT, f'its deletion_policy is {policy}'


def _entry(plan, path, action, reason):
    name = path[-1]
    definition, row = plan.current_definition(name), plan.rows[name]
    return {
        'path': '/'.join(path), 'resource_name': name,
        reviewed_request.PLACEHOLDER: None,
        'resource_type': definition and definition.resource_type,
        'physical_resource_id': row.physical_resource_id,
        'action': action, 'certainty': reviewed_request.WILL, 'order': None,
        'reasons': [] if reason is None else [
            {'kind': 'deletion_policy', 'message': reason, 'property': None,
             'forces_replacement': None, 'waits_for': []}],
        'values': [], 'stops': []}


def _stop_of(tree, info):
    place = f'stack {tree.name_of(info.stack_id)}' + (
        '' if info.name is None else f', {info.name}')
    return guard.Stop(
        info.kind, f'{info.reason or "no reason was given"} ({place}). To '
        f'remove this guard: {info.how_to_lift}.',
        is_certain=_DELETE in info.stops)
