# SPDX-License-Identifier: Apache-2.0

"""Events of the resources that a lock or unlock has asked a service about."""

from heat.db import api as db_api
from heat.db import models
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states

_event = models.Event.__table__


def write(context, action, report):
    """Write one event for each resource whose service has a lock.

    In one insert: a tree can have thousands.

    :param report: the :class:`report.Report` of what was done.
    """
    rows = [_row(resource, action, state, reason)
            for resource, (state, reason) in report.results.items()
            if state != states.NO_API]
    if rows:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            session.execute(sqlalchemy.insert(_event), rows)


def _row(resource, action, state, reason):
    status = (lock_states.FAILED if states.shown(state) == states.FAILED
              else lock_states.COMPLETE)
    return {'stack_id': resource.stack.id,
            'uuid': uuidutils.generate_uuid(),
            'created_at': timeutils.utcnow(),
            'resource_name': resource.name,
            'physical_resource_id': resource.resource_id,
            'resource_type': resource.type(),
            'resource_action': action,
            'resource_status': status,
            'resource_status_reason': charset.line(
                reason or 'state changed')}
