# SPDX-License-Identifier: Apache-2.0

"""Events of the resources that a lock or unlock protects or releases.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`.
"""

import collections

from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import charset
from heat_extras.db import models

table = sqlalchemy.Table(
    'event', sqlalchemy.MetaData(),
    sqlalchemy.Column('created_at', sqlalchemy.DateTime),
    *(sqlalchemy.Column(name, sqlalchemy.String(255)) for name in (
        'stack_id', 'uuid', 'resource_name', 'physical_resource_id',
        'resource_type', 'resource_action', 'resource_status',
        'resource_status_reason')))

_protection = models.protection_table

# A tenth of Heat's default for max_events_per_stack.
_MAX_EVENTS = 100


def make_row(stack_id, name, kind, physical_id, action, status, reason):
    """Make the row of an event.

    :param name: the name of the resource, or of the stack itself.
    """
    return {'stack_id': stack_id, 'uuid': uuidutils.generate_uuid(),
            'created_at': timeutils.utcnow(), 'resource_name': name,
            'physical_resource_id': physical_id, 'resource_type': kind,
            'resource_action': action, 'resource_status': status,
            'resource_status_reason': charset.storable_line(
                reason or 'state changed')}


def fail_unfinished(connection, root_id, is_protecting, reason,
                    most=_MAX_EVENTS):
    """Fail the resources that a lock or unlock did not finish.

    It is done in the transaction of the caller. Each resource gets a FAILED
    event, because the engine has already written its IN_PROGRESS event.

    :param connection: a connection or session.
    :param is_protecting: whether a lock protects them, or releases them.
    :param most: the maximum number of events for a stack, or None: no limit.
    """
    unfinished = (_protection.c.root_id == root_id,
                  _protection.c.state == 'locking',
                  _protection.c.reason.is_(None))
    rows = connection.execute(sql.select(_protection).where(*unfinished)).all()
    if not rows:
        return
    connection.execute(
        sql.update(_protection).where(*unfinished)
        .values(reason=charset.storable(reason),
                updated_at=timeutils.utcnow()))
    events = collections.defaultdict(list)
    for each in rows:
        events[each.stack_id].append(make_row(
            each.stack_id, each.resource_name, each.resource_type,
            each.physical_resource_id, 'LOCK' if is_protecting else 'UNLOCK',
            'FAILED', reason))
    connection.execute(sql.insert(table), [
        event for of_stack in events.values() for event in of_stack[:most]])
