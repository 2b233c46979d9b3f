# SPDX-License-Identifier: Apache-2.0

"""Which resources are marked, and what a mark means to a resource.

Heat's CHECK_FAILED alone does not distinguish a user's mark from the result
of a stack check, and does not show that a resource was suspended. A row is
valid only while the resource still has the status reason that was written
with it: any other change of the resource makes it void without a statement.
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
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.heat_internals import caller

_mark = models.mark_table
_resource = heat_models.Resource.__table__

CHECK = 'CHECK'


def write(resource, reason, is_mark):
    """Record that the caller changes the health of a resource.

    Rows of the same stack whose resource is gone are removed on the way.

    :param resource: as it was before.
    :param is_mark: whether it is unhealthy from now on.
    """
    context = resource.context
    row = read(resource, resource.status_reason)
    prior = row.prior_action if row is not None else resource.action
    values = {'resource_id': resource.id, 'stack_id': resource.stack.id,
              'prior_action': prior, 'reason': reason,
              'marked_by': charset.storable_line(
                  caller.printable_name(context)),
              'marked_by_project': context.project_id,
              'marked_at': timeutils.utcnow()}
    _replace(context, values)
    counting.count_event(resource.stack.id, counters.HEALTH,
                         counters.MARK if is_mark else counters.RESET, context)


@retries.on_db_error
def _replace(context, values):
    alive = sqlalchemy.select(_resource.c.id).where(
        _resource.c.stack_id == values['stack_id'])
    with db_api.context_manager.writer.independent.using(context) as session:
        # SQLite gives the ID of a deleted row to a new one.
        session.execute(sqlalchemy.delete(_mark).where(sqlalchemy.or_(
            _mark.c.resource_id == values['resource_id'],
            sqlalchemy.and_(_mark.c.stack_id == values['stack_id'],
                            _mark.c.resource_id.not_in(alive)))))
        session.execute(sqlalchemy.insert(_mark).values(values))


def read(resource, reason):
    """Read the row of a resource, if *reason* is still its status reason.

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
    """Return the row of a resource that a person marked, or None.

    Costs a statement for a resource in CHECK_FAILED only.
    """
    if resource.state != (CHECK, resource.FAILED):
        return None
    return read(resource, resource.status_reason)


def is_suspended(resource):
    """Return whether a reset resource was suspended before its mark.

    Costs a statement for a resource in CHECK_COMPLETE only.
    """
    if resource.state != (CHECK, resource.COMPLETE):
        return False
    row = read(resource, resource.status_reason)
    return row is not None and row.prior_action == resource.SUSPEND


def fail_check(resource):
    """Make the check of a marked resource fail with the reason of the mark.

    :raises ResourceFailure:
    """
    mark = mark_of(resource)
    if mark is not None:
        error = exception.Error(f'marked unhealthy: {mark.reason}')
        raise exception.ResourceFailure(error, resource, resource.CHECK)


def remark_after(resource, task):
    """Return a task of Heat after which a marked resource is marked again.

    :param task: does not run yet; it leaves another state.
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

    # On the object: it hides what any class, also of a third party, has.
    resource._needs_update = _needs_update


def count_members(group):
    """Count the members of a group, unhealthy ones included.

    Heat leaves out members that failed. A group without a desired size would
    so remove a marked member instead of replacing it, and a policy that
    removes one member would remove a healthy one besides.
    """
    inspector = grouputils.GroupInspector.from_parent_resource(group)
    return sum(member[rpc_api.RES_STATUS] != 'FAILED'
               or member[rpc_api.RES_ACTION] == CHECK
               for member in inspector._get_member_data())
