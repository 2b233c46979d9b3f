# SPDX-License-Identifier: Apache-2.0

"""Events of a lock: for the whole tree, in one bulk insert.

While an operation of the root is in progress, the root's event is not
COMPLETE: heatclient's ``event_utils.poll_for_events`` takes the first COMPLETE
event of a stack for the end of the operation that it waits for. Listeners are
notified of the real status.
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
class Written:
    """An event of the root.

    :ivar row: as it is in the table
    :ivar status: the status that listeners are notified of, which can differ
        from the status in the row
    """

    row: dict
    status: str


def requester(root, who, project):
    """Name the user of a request in an event of a stack.

    :param root: the row of the stack, whose project reads its events.
    :param project: the project of the user; users of another project are not
        named.
    :returns: a sentence, or None.
    """
    return (None if who is None or project != root.tenant
            else f'Requested by {who}')


def write_start(session, root, action, why=None):
    """Write the event of a lock or unlock that starts, for the root only.

    :param why: a sentence to add to the reason.
    :returns: a :class:`Written`, in a list.
    """
    return _write(session, states.IN_PROGRESS, [_row(
        root, action, states.IN_PROGRESS,
        _sentences(messages.started(action), why))])


def write_end(session, rows, root_id, action, status, reason):
    """Write the events of a lock or unlock that ended.

    :param rows: the stacks of the tree by id.
    :param reason: the status reason of the root's event.
    :returns: the :class:`Written` of the root, in a list.
    """
    root = rows[root_id]
    # An unlock during an update with a lock pass: the root's row may not show
    # this update yet, or it may be rolled back next.
    is_within = root.lock_passing is not None
    root_event = _row(root, action, _shown(root, status, is_within), reason)
    nested = [
        _row(row, action, status,
             messages.with_root(action, _ENDED[status], root.name))
        for id, row in rows.items() if id != root_id]
    return _write(session, status, [root_event, *nested])


def write_completed(session, root, reason, action=states.LOCK, is_within=False,
                    why=None):
    """Write an event of a change that is complete at once, for the root.

    :param action: LOCK if a lock that stays complete is changed.
    :param is_within: whether it belongs to an operation that the root's row
        does not show yet.
    :param why: a sentence to add to the reason.
    :returns: a :class:`Written`, in a list.
    """
    return _write(session, states.COMPLETE, [_row(
        root, action, _shown(root, states.COMPLETE, is_within),
        _sentences(reason, why))])


def _sentences(*texts):
    return '. '.join(filter(None, texts))


def _shown(root, status, is_within):
    return (states.IN_PROGRESS if is_within
            or root.status == states.IN_PROGRESS else status)


def _write(session, status, rows):
    session.execute(sqlalchemy.insert(_event), rows)
    commit_retry.record_event_id(rows[0]['uuid'])
    return [Written(rows[0], status)]


def _row(stack, action, status, reason):
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

    The events are stored already. This sends them to the sinks that the
    stack's environment names. The lock stays if a listener fails.
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
            sinks.dispatch_event(_to_event(context, sinks, written.row))
    except Exception:
        LOG.exception('Listeners could not be notified of the %(action)s of '
                      'stack %(id)s',
                      {'action': action, 'id': outcome.root.id})
    event_purge.purge_old_events(
        context, {outcome.root.id, *outcome.stack_ids},
        len(outcome.root_events))


def _as_known_to_sinks(context, stack):
    """Return the stack with credentials for its sinks.

    heat.engine.clients.os.zaqar.ZaqarEventSink.consume uses a client of the
    context. At the end of a lock, no user's token is available, so the
    credentials that Heat keeps for the stack are used.
    """
    if (context.user_id or not stack.user_creds_id
            or not stack.env.get_event_sinks()):
        return stack
    try:
        known = heat_stack.Stack.load(context, stack_id=stack.id,
                                      use_stored_context=True)
    except Exception:
        # Notifications are sent anyway, as they require no credentials.
        LOG.warning('Event sinks of stack %s might not be notified of its '
                    'lock: the credentials that Heat keeps for the stack '
                    'cannot be read', stack.id, exc_info=True)
        return stack
    known.thread_group_mgr = stack.thread_group_mgr
    return known


def _to_event(context, stack, row):
    return event.Event(
        context, stack, row['resource_action'], row['resource_status'],
        row['resource_status_reason'], row['physical_resource_id'], None,
        None, row['resource_name'], row['resource_type'], uuid=row['uuid'],
        timestamp=row['created_at'])
