# SPDX-License-Identifier: Apache-2.0

"""Events of a lock: for the whole tree, in one bulk insert.

While the root itself is under way none of it is COMPLETE: heatclient's
``event_utils.poll_for_events`` takes the first event of a stack that is one
for the end of the operation that it waits for. Listeners are told the end all
the same.
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
    :ivar status: how far it is that listeners are told, whatever the row says
    """

    row: dict
    status: str


def requester(root, who, project):
    """Name the user of a request to the readers of the events of a stack.

    :param root: the row of the stack, whose project reads them.
    :param project: in which the user has asked; users of another project are
        not named.
    :returns: a sentence, or None.
    """
    return (None if who is None or project != root.tenant
            else f'Requested by {who}')


def write_start(session, root, action, why=None):
    """Write the event of a lock or unlock that begins, for the root alone.

    :param why: a sentence more for its reason.
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
    # An unlock in the middle of an update with a pass, which may not have
    # begun in the root's row, or be rolled back next.
    is_within = root.lock_passing is not None
    root_event = _row(root, action, _shown(root, status, is_within), reason)
    nested = [
        _row(row, action, status,
             messages.with_root(action, _ENDED[status], root.name))
        for id, row in rows.items() if id != root_id]
    return _write(session, status, [root_event, *nested])


def write_done(session, root, reason, action=states.LOCK, is_within=False,
               why=None):
    """Write an event of what is done at once, for the root.

    :param action: LOCK for what becomes of a lock that stays complete.
    :param is_within: of an operation that the root's row has not yet.
    :param why: a sentence more for its reason.
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
            'resource_status_reason': charset.line(reason)}


def notify(service, context, outcome, action):
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
            sinks.dispatch_event(_to_event(context, sinks, written.row))
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


def _to_event(context, stack, row):
    return event.Event(
        context, stack, row['resource_action'], row['resource_status'],
        row['resource_status_reason'], row['physical_resource_id'], None,
        None, row['resource_name'], row['resource_type'], uuid=row['uuid'],
        timestamp=row['created_at'])
