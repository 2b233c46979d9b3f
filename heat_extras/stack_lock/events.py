# SPDX-License-Identifier: Apache-2.0

"""Events of a lock: for the whole tree, in one bulk insert.

While the root itself is under way none of it is COMPLETE: heatclient's
``event_utils.poll_for_events`` takes the first event of a stack that is one
for the end of the operation that it waits for. Listeners are told the end all
the same.
"""

import dataclasses

from heat.db import models
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import states
from heat_extras.stack_lock import words

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


def start(session, root, action, why=None):
    """Write the event of a lock or unlock that begins, for the root alone.

    :param why: a sentence more for its reason.
    :returns: a :class:`Written`, in a list.
    """
    return _write(session, states.IN_PROGRESS, [_row(
        root, action, states.IN_PROGRESS,
        _sentences(words.started(action), why))])


def finish(session, rows, root_id, action, status, reason):
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
             words.with_root(action, _ENDED[status], root.name))
        for id, row in rows.items() if id != root_id]
    return _write(session, status, [root_event, *nested])


def tell(session, root, reason, action=states.LOCK, is_within=False,
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
    commit_retry.noted(rows[0]['uuid'])
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
