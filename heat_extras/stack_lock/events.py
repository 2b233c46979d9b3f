# SPDX-License-Identifier: Apache-2.0

"""The events of a lock: of the stacks of the tree, and of their resources.

The events of the stacks are written in one bulk insert. While an operation of
the root is in progress, the root's event is not COMPLETE: heatclient's
``event_utils.poll_for_events`` would interpret the event as the end of this
operation. Listeners are notified of the real status.

Each resource whose service is called has an event at the start and an event
at the end. If these are too many for Heat's limit of a stack's events, only
failures have an event, and an event of the stack counts them. The rows are
written in the transactions that write
:mod:`heat_extras.stack_lock.resource_locks.resource_table`.

heat.db.api.event_create sometimes deletes the oldest events of a stack that
has too many. Bulk inserts do not call it, so :func:`purge_old_events` does
the same.
"""

import collections
import dataclasses
import secrets

from heat.db import api as db_api
from heat.db import models
from heat.engine import event
from heat.engine.notification import stack as stack_notification
from heat.engine import stack as heat_stack
from oslo_config import cfg
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import resource_events
from heat_extras.db import transactions
from heat_extras import sanitize
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

# The status reason of a lock.
LOCKED = 'Stack LOCK completed successfully'

_event = models.Event.__table__
_STACK_TYPE = 'OS::Heat::Stack'
_ENDED = {states.COMPLETE: 'completed', states.FAILED: 'failed'}

# The same as in heat.db.api.event_create: twice as many as are written, so
# that a stack with too many events gets back to the limit.
_DELETED_PER_EVENT = 2.0

_random = secrets.SystemRandom()


@dataclasses.dataclass(frozen=True)
class WrittenEvent:
    """An event of the root.

    :ivar row: the values of the row.
    :ivar status: the status for listeners, which can differ from the status in
        the row.
    """

    row: dict
    status: str


def completed(level, reason):
    """Return the reason of the event of a lock that is complete."""
    return f'{LOCKED} (level {level}){sanitize.after_colon(reason)}'


def started(action):
    """Return the reason of the event of a lock or unlock that starts."""
    return f'Stack {action} started'


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
    return _insert(session, [start_event(root, action, why)])


def start_event(root, action, why=None):
    """Make the event of :func:`write_start`, without writing it."""
    return WrittenEvent(_event_row(root, action, states.IN_PROGRESS,
                                   _join(started(action), why)),
                        states.IN_PROGRESS)


def write_end(session, rows, root_id, action, status, reason, earlier=()):
    """Write the events of a lock or unlock that ended.

    :param rows: the stacks of the tree by ID.
    :param reason: the status reason of the root's event.
    :param earlier: events of the root to write in the same statement.
    :returns: a list with each :class:`WrittenEvent` of the root.
    """
    root = rows[root_id]
    # During an update with a lock pass: the root's row might not show this
    # update yet, or the update might be rolled back next.
    is_within = root.lock_passing is not None
    root_event = WrittenEvent(
        _event_row(root, action, _event_status(root, status, is_within),
                   reason), status)
    nested = [
        _event_row(row, action, status,
                   f'Stack {action} {_ENDED[status]} with root stack '
                   f'{root.name}')
        for id, row in rows.items() if id != root_id]
    return _insert(session, [*earlier, root_event], nested)


def write_completed(session, root, reason, action=states.LOCK, is_within=False,
                    why=None):
    """Write the event of a change that is immediately complete, for the root.

    :param action: LOCK if a lock that stays complete is changed.
    :param is_within: whether the change is a part of an operation that the
        root's row does not show yet.
    :param why: a sentence to add to the reason.
    :returns: a list with a :class:`WrittenEvent`.
    """
    return _insert(session, [WrittenEvent(
        _event_row(root, action,
                   _event_status(root, states.COMPLETE, is_within),
                   _join(reason, why)), states.COMPLETE)])


def _join(*sentences):
    return '. '.join(filter(None, sentences))


def _event_status(root, status, is_within):
    return (states.IN_PROGRESS if is_within
            or root.status == states.IN_PROGRESS else status)


def _insert(session, of_root, nested=()):
    session.execute(sqlalchemy.insert(_event),
                    [*(written.row for written in of_root), *nested])
    return of_root


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
    purge_old_events(
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


def event_limit():
    """Return the maximum number of events of a lock in a stack, or None."""
    most = cfg.CONF.max_events_per_stack
    return max(most // 10, 1) if most else None


def resource_start_events(action, ended, started):
    """Make the events of resources whose service is called next.

    :param ended: all resources that get an event at the end.
    :param started: the resources that get an event at the start.
    :returns: rows of Heat's table of events.
    """
    crowded = _crowded_stacks(ended)
    return [_resource_event_row(resource, action, states.IN_PROGRESS, None)
            for resource in started if resource.stack.id not in crowded]


def resource_end_events(action, results):
    """Make the events of resources whose service has been called.

    :param results: a dict from resource to (state, reason).
    :returns: rows of Heat's table of events.
    """
    crowded, rows = _crowded_stacks(results), collections.defaultdict(list)
    for resource, (state, reason) in results.items():
        status = (states.FAILED if resource_states.shown(state)
                  == resource_states.FAILED else states.COMPLETE)
        rows[resource.stack.id].append(
            _resource_event_row(resource, action, status, reason))
    names = {resource.stack.id: resource.stack.name for resource in results}
    return [row for stack_id, of_stack in rows.items()
            for row in (_summarize(stack_id, names[stack_id], action, of_stack)
                        if stack_id in crowded else of_stack)]


def _crowded_stacks(resources):
    most = event_limit()
    counts = collections.Counter(resource.stack.id for resource in resources)
    return {stack_id for stack_id, count in counts.items()
            if most is not None and 2 * count > most}


def _summarize(stack_id, name, action, rows):
    failed = [row for row in rows if row['resource_status'] == states.FAILED]
    # IN_PROGRESS, because clients interpret a COMPLETE event of the stack as
    # the end of the operation.
    return [*failed[:event_limit() - 1], resource_events.make_row(
        stack_id, name, _STACK_TYPE, stack_id, action, states.IN_PROGRESS,
        f'{len(failed)} of {len(rows)} resources failed. Only failures have '
        'events in a stack with so many resources')]


def _resource_event_row(resource, action, status, reason):
    return resource_events.make_row(
        resource.stack.id, resource.name, resource.type(),
        resource.resource_id, action, status, reason)


def purge_old_events(context, stack_ids, written):
    """Sometimes delete the oldest events of stacks that have too many.

    One call deletes ``event_purge_batch_size`` events of a stack, or as many
    as were written if that is more. After an error, a later call deletes
    them.

    :param written: the maximum number of events that were written for one
        stack.
    """
    batch = max(cfg.CONF.event_purge_batch_size, written)
    if (cfg.CONF.max_events_per_stack
            and _random.random() < _DELETED_PER_EVENT * written / batch):
        try:
            _delete_oldest(context, stack_ids, batch)
        except Exception:
            LOG.exception('Old events of stacks could not be deleted')


@transactions.on_db_error
def _delete_oldest(context, stack_ids, batch):
    with db_api.context_manager.writer.independent.using(context) as session:
        full = session.scalars(
            sqlalchemy.select(_event.c.stack_id)
            .where(_event.c.stack_id.in_(stack_ids))
            .group_by(_event.c.stack_id)
            .having(sqlalchemy.func.count(_event.c.id)
                    >= cfg.CONF.max_events_per_stack)).all()
        for stack_id in full:
            db_api._delete_event_rows(context, stack_id, batch)
