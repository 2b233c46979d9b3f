# SPDX-License-Identifier: Apache-2.0

"""Marks of unhealthy resources, and their effects on a resource.

Heat's CHECK_FAILED is the same for a user's mark and for the result of a stack
check, and does not show that a resource was suspended. So a mark has a row. It
is valid only while the resource has the status reason of the row. Any other
change of the resource invalidates it without a query.
"""

from heat.common import exception
from heat.common import grouputils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import resource as heat_resource
from heat.rpc import api as rpc_api
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.heat_internals import caller

_mark = models.mark_table
_resource = heat_models.Resource.__table__

CHECK = 'CHECK'


def record_change(resource, reason, is_mark):
    """Record that the caller changes the health of a resource.

    Also delete rows of the stack whose resources do not exist.

    :param resource: the resource before the change.
    :param is_mark: True for a mark, False for a reset.
    """
    context = resource.context
    row = read_row(resource, resource.status_reason)
    prior = row.prior_action if row is not None else resource.action
    values = {'resource_id': resource.id, 'stack_id': resource.stack.id,
              'prior_action': prior, 'reason': reason,
              'marked_by': charset.storable_line(
                  caller.printable_name(context)),
              'marked_by_project': context.project_id,
              'marked_at': timeutils.utcnow()}
    _replace_row(context, values)
    counter_writes.count_event(resource.stack.id, counters.HEALTH,
                               counters.MARK if is_mark else counters.RESET,
                               context)


@retries.on_db_error
def _replace_row(context, values):
    alive = sqlalchemy.select(_resource.c.id).where(
        _resource.c.stack_id == values['stack_id'])
    with db_api.context_manager.writer.independent.using(context) as session:
        # SQLite reuses the ID of a deleted row.
        session.execute(sqlalchemy.delete(_mark).where(sqlalchemy.or_(
            _mark.c.resource_id == values['resource_id'],
            sqlalchemy.and_(_mark.c.stack_id == values['stack_id'],
                            _mark.c.resource_id.not_in(alive)))))
        session.execute(sqlalchemy.insert(_mark).values(values))


def read_row(resource, reason):
    """Read the row of a resource, if it has the given status reason.

    :returns: the row, or None.
    """
    if resource.id is None:
        return None
    with db_api.context_manager.reader.independent.using(
            resource.context) as session:
        row = session.execute(sqlalchemy.select(_mark).where(
            _mark.c.resource_id == resource.id,
            _mark.c.stack_id == resource.stack.id)).first()
    if row is None or row.reason != reason:
        return None
    return row


def mark_of(resource):
    """Return the row of a resource that a user marked, or None.

    This queries the database only for a resource in CHECK_FAILED.
    """
    if resource.state != (CHECK, resource.FAILED):
        return None
    return read_row(resource, resource.status_reason)


def is_suspended(resource):
    """Return whether a reset resource was suspended before its mark.

    This queries the database only for a resource in CHECK_COMPLETE.
    """
    if resource.state != (CHECK, resource.COMPLETE):
        return False
    row = read_row(resource, resource.status_reason)
    return row is not None and row.prior_action == resource.SUSPEND


def fail_check(resource):
    """Raise an error with the reason of the mark for a marked resource.

    :raises ResourceFailure: if the resource is marked.
    """
    mark = mark_of(resource)
    if mark is not None:
        error = exception.Error(f'marked unhealthy: {mark.reason}')
        raise exception.ResourceFailure(error, resource, resource.CHECK)


def remark_after(resource, task):
    """Extend a task of Heat so that it marks a marked resource again.

    :param task: a task that has not started and that changes the state.
    """
    mark = mark_of(resource)
    return task if mark is None else _remark_after(resource, mark.reason, task)


def _remark_after(resource, reason, task):
    yield from task
    resource.state_set(resource.CHECK, resource.FAILED, reason)


def force_replace(resource):
    """Make every update replace a marked resource of any type."""
    if mark_of(resource) is None:
        return
    name = resource.name

    def _needs_update(*args, **kwargs):
        raise heat_resource.UpdateReplace(name)

    # Set it on the object, so that it hides the method of any class,
    # including third-party classes.
    resource._needs_update = _needs_update


def count_members(group):
    """Count the members of a group, including unhealthy members.

    Heat itself does not count failed members. So a group without a desired
    size would remove a marked member instead of replacing it, and a policy
    that removes one member would also remove a healthy one.
    """
    inspector = grouputils.GroupInspector.from_parent_resource(group)
    return inspector.size(include_failed=False) + sum(
        member[rpc_api.RES_STATUS] == 'FAILED'
        and member[rpc_api.RES_ACTION] == CHECK
        for member in inspector._get_member_data())
