# SPDX-License-Identifier: Apache-2.0

"""Events of the resources whose services a lock or unlock calls.

Each resource has an event at the start and an event at the end. If these are
too many for Heat's limit of a stack's events, only failures have an event, and
an event of the stack counts them. The rows are written in the transactions
that write :mod:`protection_table`.
"""

import collections

from oslo_config import cfg

from heat_extras.db import resource_events
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states


def event_limit():
    """Return the maximum number of events of a lock in a stack, or None."""
    most = cfg.CONF.max_events_per_stack
    return max(most // 10, 1) if most else None


def start_events(action, ended, started):
    """Make the events of resources whose service is called next.

    :param ended: all resources that get an event at the end.
    :param started: the resources that get an event at the start.
    :returns: rows of Heat's table of events.
    """
    crowded = _crowded_stacks(ended)
    return [_event_row(resource, action, lock_states.IN_PROGRESS, None)
            for resource in started if resource.stack.id not in crowded]


def end_events(action, results):
    """Make the events of resources whose service has been called.

    :param results: a dict from resource to (state, reason).
    :returns: rows of Heat's table of events.
    """
    crowded, rows = _crowded_stacks(results), collections.defaultdict(list)
    for resource, (state, reason) in results.items():
        rows[resource.stack.id].append(_event_row(
            resource, action, lock_states.FAILED
            if states.shown(state) == states.FAILED
            else lock_states.COMPLETE, reason))
    names = {resource.stack.id: resource.stack.name for resource in results}
    return [event for stack_id, events in rows.items()
            for event in (_summarize(stack_id, names[stack_id], action, events)
                          if stack_id in crowded else events)]


def _crowded_stacks(resources):
    most = event_limit()
    counts = collections.Counter(resource.stack.id for resource in resources)
    return {stack_id for stack_id, count in counts.items()
            if most is not None and 2 * count > most}


def _summarize(stack_id, name, action, events):
    failed = [event for event in events
              if event['resource_status'] == lock_states.FAILED]
    # IN_PROGRESS, because clients interpret a COMPLETE event of the stack as
    # the end of the operation.
    return [*failed[:event_limit() - 1], resource_events.make_row(
        stack_id, name, 'OS::Heat::Stack', stack_id, action,
        lock_states.IN_PROGRESS,
        f'{len(failed)} of {len(events)} resources failed. Only failures have '
        'events in a stack with so many resources')]


def _event_row(resource, action, status, reason):
    return resource_events.make_row(
        resource.stack.id, resource.name, resource.type(),
        resource.resource_id, action, status, reason)
