# SPDX-License-Identifier: Apache-2.0

"""The plan of a deletion: each resource, and what stops the deletion.

A deletion needs no prediction. Heat decides by the definition that a resource
was last updated to (Resource.delete).
"""

import collections
import graphlib

from heat.engine import resource

from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import resource_rows
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
    stops = gate.find_deletion_stops(context, tree)
    return {
        'plan': list(_entries(stack_plan.load_plan(context, row.id), tree,
                              stops)),
        'plan_stops': [_stop_of(tree, info).body()
                       for info in gate.list_guards(context, tree)
                       if info.blocks(_DELETE)]}


def _entries(plan, tree, stops, path=()):
    """Yield the entries of a stack, each before those of its nested stack."""
    for stack in tree.stacks:
        if stack.backup and stack.owner_id == plan.stack.id:
            # The legacy engine first deletes what an update left here.
            yield from _entries_of_other(plan, stack.id, tree, stops, path)
    for row in _list_in_order(plan):
        here = (*path, row.name)
        definition = plan.definition_of(row)
        action, reason = _action_of(definition, row)
        stop = stops.get(row.id) if action != RETAINED else None
        yield _entry(here, definition, row, action, reason, stop)
        if action != RETAINED and row.physical_resource_id in tree.ids:
            yield from _entries_of_other(plan, row.physical_resource_id, tree,
                                         stops, here)


def _entries_of_other(plan, stack_id, tree, stops, path):
    """List the entries of a nested stack or of a backup stack."""
    with unknown.suppress_errors():
        # The stack may have been deleted after the tree was read.
        return list(_entries(stack_plan.load_plan(
            plan.stack.context, stack_id), tree, stops, path))
    return []


def _list_in_order(plan):
    """List the existing rows, each before those that it depends on."""
    rows = collections.defaultdict(list)
    for row in (*plan.rows.values(), *plan.present.others):
        if not resource_rows.is_gone(row):
            rows[row.name].append(row)
    graph = {}
    for name in sorted(rows):
        definition = plan.definition_of(rows[name][0])
        graph[name] = sorted(definition.required_resource_names().intersection(
            rows)) if definition else ()
    order = list(graphlib.TopologicalSorter(graph).static_order())
    return [row for name in reversed(order) for row in rows[name]]


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
    if row.status == resource.Resource.COMPLETE:
        return SNAPSHOT, f'its deletion_policy is {policy}'
    state = f'{row.action}_{row.status}'
    if state in ('CREATE_FAILED', 'UPDATE_FAILED'):
        limit = 'makes no snapshot of a failed resource'
    else:
        # Servers and volumes differ in other failed states. A deletion can
        # fail an operation in progress.
        limit = f'possibly makes no snapshot of a resource that is {state}'
    return reviewed_request.REMOVED, (
        f'its deletion_policy is {policy}, but Heat {limit}')


def _entry(path, definition, row, action, reason, stop):
    return {
        'path': '/'.join(path), 'resource_name': row.name,
        reviewed_request.PLACEHOLDER: None,
        'resource_type': definition and definition.resource_type,
        'physical_resource_id': row.physical_resource_id,
        'action': action, 'certainty': reviewed_request.WILL, 'order': None,
        'reasons': [] if reason is None else [
            {'kind': 'deletion_policy', 'message': reason, 'property': None,
             'forces_replacement': None, 'waits_for': []}],
        'values': [], 'stops': [] if stop is None else [stop.body()]}


def _stop_of(tree, info):
    place = f'stack {tree.name_of(info.stack_id)}' + (
        '' if info.name is None else f', {info.name}')
    return guard.Stop(
        info.kind, f'{info.reason or "no reason was given"} ({place}). To '
        f'remove this guard: {info.how_to_lift}.',
        is_certain=_DELETE in info.stops)
