# SPDX-License-Identifier: Apache-2.0

"""The plan of an update, as the preview answers it."""

import collections

from heat_extras import guard_loader
from heat_extras.update_plan import change
from heat_extras.update_plan import plan_stop
from heat_extras.update_plan import stack_plan
from heat_extras.update_plan import tree_plan

ACTIONS = {change.UNCHANGED: 'unchanged', change.UPDATE: 'updated',
           change.REPLACE: 'replaced', change.REMOVE: 'removed',
           change.ADD: 'added'}
WILL, MAY, UNKNOWN = CERTAINTIES = ('will', 'may', 'unknown')


def bodies(context, stack, updated):
    """Return the lists that a preview gets.

    :param stack: the heat.engine.stack.Stack as it is.
    :param updated: the stack as it would be.
    """
    entries = tree_plan.list_entries(
        stack_plan.plan_update(stack, updated, is_preview=True))
    update = plan_stop.PlannedUpdate(stack, updated, entries)
    stops = collections.defaultdict(list)
    for list_stops in guard_loader.load(plan_stop.NAMESPACE):
        for found in list_stops(context, update):
            stops[found.path].append(found.body())
    known = {'/'.join(entry.path) for entry in entries}
    return {'plan': [_body(entry, stops) for entry in entries],
            'plan_stops': [each for path in stops if path not in known
                           for each in stops[path]]}


def _body(entry, stops):
    path = '/'.join(entry.path)
    return {
        'path': path, 'resource_name': entry.name,
        'resource_type': entry.resource_type,
        'physical_resource_id': entry.physical_id,
        'action': ACTIONS[entry.change.shown_action],
        'certainty': (UNKNOWN if not entry.change.is_known else
                      WILL if entry.change.will_happen else MAY),
        'order': entry.order,
        'reasons': [_reason(each) for each in entry.reasons],
        'stops': stops.get(path, [])}


def _reason(reason):
    return {
        'kind': reason.kind, 'message': reason.message,
        'property': reason.name,
        'forces_replacement': reason.forces_replacement,
        'waits_for': [{'kind': each.kind, 'name': each.name,
                       'attribute': each.attribute or None}
                      for each in reason.sources]}


def start():
    """Load the entry points, so that an error stops the engine's start."""
    guard_loader.load(plan_stop.NAMESPACE)


def stop():
    """Stop what start() started: nothing runs."""
