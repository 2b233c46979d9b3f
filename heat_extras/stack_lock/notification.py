# SPDX-License-Identifier: Apache-2.0

"""Tell event sinks and notification listeners of a lock or unlock.

And keep Heat's limit of events: this comes after each of its transactions.
"""

from heat.engine import event
from heat.engine.notification import stack as stack_notification
from heat.engine import stack as heat_stack
from oslo_log import log as logging

from heat_extras.heat_internals import event_purge

LOG = logging.getLogger(__name__)


def send(service, context, outcome, action):
    """Send ``orchestration.stack.<action>.start`` and ``.end`` for the root.

    The events are stored already; this hands them to the sinks that the
    stack's environment names. A listener that fails does not undo a lock.
    """
    try:
        stack = heat_stack.Stack.load(context, stack_id=outcome.root.id)
        stack.thread_group_mgr = service.thread_group_mgr
        sinks = _as_known_to_sinks(context, stack)
        # This object is only shown to listeners, never stored.
        stack.action = action
        for written in outcome.root_events:
            stack.status = written.status
            stack.status_reason = written.row['resource_status_reason']
            stack_notification.send(stack)
            sinks.dispatch_event(_event(context, sinks, written.row))
    except Exception:
        LOG.exception('Nobody could be told of the %(action)s of stack '
                      '%(id)s', {'action': action, 'id': outcome.root.id})
    event_purge.keep(context, {outcome.root.id, *outcome.stack_ids},
                     len(outcome.root_events))


def _as_known_to_sinks(context, stack):
    """Return the stack with credentials for its sinks.

    At the end of a lock nobody is there with whose token they could be told:
    heat.engine.clients.os.zaqar.ZaqarEventSink.consume asks a client of the
    context. Those that Heat keeps for the stack serve then.
    """
    if (context.user_id or not stack.user_creds_id
            or not stack.env.get_event_sinks()):
        return stack
    try:
        known = heat_stack.Stack.load(context, stack_id=stack.id,
                                      use_stored_context=True)
    except Exception:
        # Listeners are told all the same: that takes no credentials.
        LOG.warning('Event sinks of stack %s may not be told of its lock: '
                    'what Heat keeps as its credentials cannot be read',
                    stack.id, exc_info=True)
        return stack
    known.thread_group_mgr = stack.thread_group_mgr
    return known


def _event(context, stack, row):
    return event.Event(
        context, stack, row['resource_action'], row['resource_status'],
        row['resource_status_reason'], row['physical_resource_id'], None,
        None, row['resource_name'], row['resource_type'], uuid=row['uuid'],
        timestamp=row['created_at'])
