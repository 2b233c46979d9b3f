# SPDX-License-Identifier: Apache-2.0

"""Requests to change a resource's health, and the marks that they set.

Heat's own method loads the stack, acquires the lock and writes the state. The
wrappers of the functions that it calls use the request of their thread.

Heat's CHECK_FAILED is the same for a user's mark and for the result of a stack
check, and does not show that a resource was suspended. So a mark has a row. It
is valid only while the resource has the status reason of the row. Any other
change of the resource invalidates it without a query.
"""

import contextlib
import dataclasses

from heat.common import exception
from heat.common import grouputils
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.engine import resource as heat_resource
from heat.engine import stack_lock as heat_stack_lock
from heat.rpc import api as rpc_api
from oslo_config import cfg
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras import gate
from heat_extras.health import errors
from heat_extras.health import request
from heat_extras.heat_internals import caller
from heat_extras import rpc_request
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


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


@transactions.on_db_error
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


@dataclasses.dataclass
class Mark:
    """A mark to set or reset, and the warnings for the response."""

    is_mark: bool
    is_forced: bool = False
    warnings: list = dataclasses.field(default_factory=list)

    def to_body(self, resource_name):
        """Return the body of the response, None if there is no warning."""
        if not self.warnings:
            return None
        return {'mark_unhealthy': {'resource_name': resource_name,
                                   'warnings': self.warnings}}


def current_mark():
    """Return the :class:`Mark` of this thread's request, or None."""
    request = rpc_request.current()
    return None if request is None else request.mark


def check_reason(reason):
    """Check that the database can store a reason, if it is not None.

    :raises HealthInvalid: if the reason is not valid.
    """
    try:
        if reason is not None:
            request.check_reason(reason)
            charset.check_storable(request.REASON, reason)
    except ValueError as error:
        raise errors.HealthInvalid(message=str(error)) from error


def find_resource(original, context, resource_name, stack):
    """Find a resource as EngineService._find_resource_in_stack does.

    If the request of this thread is for a mark, also check the request.

    :raises HealthInvalid: if the reason is not valid.
    :raises ResourceNotFound: if there is no such resource.
    """
    request = rpc_request.current()
    if request is None or request.mark is None:
        return original(context, resource_name, stack)
    # Heat writes the state before it fails for a reason that is not a string.
    check_reason(request.arguments.get('resource_status_reason'))
    resource = _find_resource(original, context, resource_name, stack)
    check_request(request.mark, context, resource, stack)
    return resource


def _find_resource(original, context, resource_name, stack):
    try:
        # Heat also searches for a physical ID, with a query that fails for
        # some characters.
        charset.check_storable('name', resource_name)
        return original(context, resource_name, stack)
    except (KeyError, ValueError) as error:
        # A KeyError means that the resource is no longer in the template.
        raise exception.ResourceNotFound(
            resource_name=resource_name, stack_name=stack.name) from error


def check_request(current, context, resource, stack):
    """Reject a request that is not allowed, or add warnings to it.

    :param current: the :class:`Mark`.
    :raises HealthInvalid: if the resource does not exist.
    :raises ActionInProgress: while an engine works on the stack.
    :raises TooManyUnhealthy: if the request exceeds the limit.
    """
    with _log_rejection(stack):
        _check_exists(resource, stack)
        _check_stack_lock(context, stack)
        if current.is_mark and not current.is_forced:
            _check_limit(resource, stack)
    if current.is_mark:
        current.warnings.extend(list_blockers(resource, stack))


@contextlib.contextmanager
def _log_rejection(stack):
    try:
        yield
    except exception.HeatException as error:
        LOG.info('mark unhealthy of stack %(name)s (%(id)s) rejected: %(why)s',
                 {'name': stack.name, 'id': stack.id,
                  'why': sanitize.printable(error)})
        raise


def _check_exists(resource, stack):
    if resource.action == resource.INIT or resource.id is None:
        state = 'was never created'
    elif resource.action == resource.DELETE:
        state = f'is {resource.action}_{resource.status}'
    else:
        return
    raise errors.HealthInvalid(
        message=f'Resource {resource.name} of stack {stack.name} {state}: '
                'only a resource that exists can be marked as healthy or '
                'unhealthy. The next update of the stack creates missing '
                'resources.')


def _check_stack_lock(context, stack):
    # For a legacy stack, resource_mark_unhealthy itself acquires the lock.
    # Heat 24 and 25 also hold it while they work on other stacks, and then
    # have no resource lock.
    if not stack.convergence:
        return
    engine_id = heat_stack_lock.StackLock(context, stack.id,
                                          None).get_engine_id()
    if engine_id and service_utils.engine_alive(context, engine_id):
        raise exception.ActionInProgress(stack_name=stack.name,
                                         action=stack.action)


def _check_limit(resource, stack):
    percent = cfg.CONF.heat_extras.max_unhealthy_percent
    if percent is None or _is_unhealthy(resource):
        return
    existing = [each for each in stack.values()
                if each.action not in (each.INIT, each.DELETE)]
    unhealthy = sum(map(_is_unhealthy, existing))
    if (unhealthy + 1) * 100 > percent * len(existing):
        raise errors.TooManyUnhealthy(
            message=f'Resource {resource.name} of stack {stack.name} was not '
                    f'marked as unhealthy: {unhealthy} of {len(existing)} '
                    'resources are already unhealthy, and one more would '
                    'exceed the limit of this cloud (max_unhealthy_percent = '
                    f'{percent}). First update the stack to replace the '
                    'unhealthy resources, or repeat the request with '
                    '?force=true (--force).')


def _is_unhealthy(resource):
    return resource.state == (resource.CHECK, resource.FAILED)


def list_blockers(resource, stack):
    """List the reasons why the next update cannot replace a resource.

    :param stack: the loaded stack of the resource.
    :returns: a list of texts.
    """
    if resource.external_id is not None:
        # Heat skips it in an update (heat.engine.resource.Resource.update).
        return [f'Resource {resource.name} has an external_id. Heat did not '
                'create this resource, and never replaces it. The next update '
                'removes the mark.']
    blockers = []
    if 'replace' in stack.env.registry.get_rsrc_restricted_actions(
            resource.name):
        blockers.append(
            f'The environment of stack {stack.name} forbids the replacement '
            f'of resource {resource.name} (restricted_actions). Every update '
            'will fail until the environment allows the replacement, or until '
            'the mark is reset.')
    return [*blockers, *gate.list_replace_blockers(resource, stack)]
