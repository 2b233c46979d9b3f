# SPDX-License-Identifier: Apache-2.0

"""The plan of an update in the response of a preview."""

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


def plan_body(context, stack, updated):
    """Return the lists that are added to a preview.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    """
    entries = tree_plan.list_entries(
        stack_plan.plan_update(stack, updated, is_preview=True))
    update = plan_stop.PlannedUpdate(stack, updated, entries)
    stops = collections.defaultdict(list)
    for list_stops in guard_loader.load(plan_stop.NAMESPACE):
        for each in list_stops(context, update):
            stops[each.path].append(each.body())
    known = {'/'.join(entry.path) for entry in entries}
    return {'plan': [_entry_body(entry, stops) for entry in entries],
            'plan_stops': [each for path in stops if path not in known
                           for each in stops[path]]}


def _entry_body(entry, stops):
    path = '/'.join(entry.path)
    return {
        'path': path, 'resource_name': entry.name,
        'resource_type': entry.resource_type,
        'physical_resource_id': entry.physical_id,
        'action': ACTIONS[entry.change.shown_action],
        'certainty': (UNKNOWN if not entry.change.is_known else
                      WILL if entry.change.will_happen else MAY),
        'order': entry.order,
        'reasons': [_reason_body(each) for each in entry.reasons],
        'stops': stops.get(path, [])}


def _reason_body(reason):
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
    """Return at once, because start() starts no task."""
