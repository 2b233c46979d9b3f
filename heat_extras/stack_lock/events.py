# SPDX-License-Identifier: Apache-2.0

"""Write the events of a lock for the whole tree, in one bulk insert.

While an operation of the root is in progress, the root's event is not
COMPLETE: heatclient's ``event_utils.poll_for_events`` would interpret the
event as the end of this operation. Listeners are notified of the real status.
"""

import dataclasses

from heat.db import models
from heat.engine import event
from heat.engine.notification import stack as stack_notification
from heat.engine import stack as heat_stack
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.heat_internals import event_purge
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_event = models.Event.__table__
_STACK_TYPE = 'OS::Heat::Stack'
_ENDED = {states.COMPLETE: 'completed', states.FAILED: 'failed'}


@dataclasses.dataclass(frozen=True)
class WrittenEvent:
    """An event of the root.

    :ivar row: the values of the row.
    :ivar status: the status for listeners, which can differ from the status in
        the row.
    """

    row: dict
    status: str


def requested_by(root, user_name, project):
    """Return a sentence about the user of a request, for an event.

    :param root: the row of the stack, whose project reads its events.
    :param project: the project of the user. Users of another project are not
        named.
    :returns: a sentence, or None.
    """
    return (None if user_name is None or project != root.tenant
            else f'Requested by {user_name}')


def write_start(session, root, action, why=None):
    """Write the event of a lock or unlock that starts, for the root only.

    :param why: a sentence to add to the reason.
    :returns: a list with a :class:`WrittenEvent`.
    """
    return _insert(session, states.IN_PROGRESS, [_event_row(
        root, action, states.IN_PROGRESS,
        _join(messages.started(action), why))])


def write_end(session, rows, root_id, action, status, reason):
    """Write the events of a lock or unlock that ended.

    :param rows: the stacks of the tree by ID.
    :param reason: the status reason of the root's event.
    :returns: a list with the :class:`WrittenEvent` of the root.
    """
    root = rows[root_id]
    # During an update with a lock pass: the root's row might not show this
    # update yet, or the update might be rolled back next.
    is_within = root.lock_passing is not None
    root_event = _event_row(root, action,
                            _event_status(root, status, is_within), reason)
    nested = [
        _event_row(row, action, status,
                   messages.with_root(action, _ENDED[status], root.name))
        for id, row in rows.items() if id != root_id]
    return _insert(session, status, [root_event, *nested])


def write_completed(session, root, reason, action=states.LOCK, is_within=False,
                    why=None):
    """Write the event of a change that is immediately complete, for the root.

    :param action: LOCK if a lock that stays complete is changed.
    :param is_within: whether the change is a part of an operation that the
        root's row does not show yet.
    :param why: a sentence to add to the reason.
    :returns: a list with a :class:`WrittenEvent`.
    """
    return _insert(session, states.COMPLETE, [_event_row(
        root, action, _event_status(root, states.COMPLETE, is_within),
        _join(reason, why))])


def _join(*sentences):
    return '. '.join(filter(None, sentences))


def _event_status(root, status, is_within):
    return (states.IN_PROGRESS if is_within
            or root.status == states.IN_PROGRESS else status)


def _insert(session, status, rows):
    session.execute(sqlalchemy.insert(_event), rows)
    commit_retry.record_event_id(rows[0]['uuid'])
    return [WrittenEvent(rows[0], status)]


def _event_row(stack, action, status, reason):
    return {'stack_id': stack.id,
            'uuid': uuidutils.generate_uuid(),
            'created_at': timeutils.utcnow(),
            'resource_name': stack.name,
            'physical_resource_id': stack.id,
            'resource_type': _STACK_TYPE,
            'resource_action': action,
            'resource_status': status,
            'resource_status_reason': charset.storable_line(reason)}


def notify(service, context, outcome, action):
    """Send ``orchestration.stack.<action>.start`` and ``.end`` for the root.

    The events are already stored. Also send them to the sinks in the stack's
    environment. The stack stays locked if a listener fails.
    """
    try:
        stack = heat_stack.Stack.load(context, stack_id=outcome.root.id)
        stack.thread_group_mgr = service.thread_group_mgr
        sinks = _with_credentials(context, stack)
        # This object is only for listeners and is never stored.
        stack.action = action
        for written in outcome.root_events:
            stack.status = written.status
            stack.status_reason = written.row['resource_status_reason']
            stack_notification.send(stack)
            sinks.dispatch_event(_to_event(context, sinks, written.row))
    except Exception:
        LOG.exception('Cannot notify listeners of the %(action)s of stack '
                      '%(id)s',
                      {'action': action, 'id': outcome.root.id})
    event_purge.purge_old_events(
        context, {outcome.root.id, *outcome.stack_ids},
        len(outcome.root_events))


def _with_credentials(context, stack):
    """Return the stack with credentials for its sinks.

    heat.engine.clients.os.zaqar.ZaqarEventSink.consume uses a client of the
    context. At the end of a lock, no user's token is available, so use the
    credentials that Heat stores for the stack.
    """
    if (context.user_id or not stack.user_creds_id
            or not stack.env.get_event_sinks()):
        return stack
    try:
        known = heat_stack.Stack.load(context, stack_id=stack.id,
                                      use_stored_context=True)
    except Exception:
        # Notifications do not need credentials, so still send them.
        LOG.warning('Event sinks of stack %s might not be notified of its '
                    'lock: cannot read the credentials that Heat stores for '
                    'the stack', stack.id, exc_info=True)
        return stack
    known.thread_group_mgr = stack.thread_group_mgr
    return known


def _to_event(context, stack, row):
    return event.Event(
        context, stack, row['resource_action'], row['resource_status'],
        row['resource_status_reason'], row['physical_resource_id'], None,
        None, row['resource_name'], row['resource_type'], uuid=row['uuid'],
        timestamp=row['created_at'])
