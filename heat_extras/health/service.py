# SPDX-License-Identifier: Apache-2.0

"""Check a request to change a resource's health, in the engine.

Heat's own method loads the stack, acquires the lock and writes the state. The
wrappers of the functions that it calls use the request of their thread.
"""

import contextlib
import dataclasses

from heat.common import exception as heat_exception
from heat.common import service_utils
from heat.engine import stack_lock as heat_stack_lock
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.db import charset
from heat_extras import gate
from heat_extras.health import errors
from heat_extras.health import request
from heat_extras import rpc_request
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


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
        raise heat_exception.ResourceNotFound(
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
    except heat_exception.HeatException as error:
        LOG.info('mark unhealthy of stack %(name)s (%(id)s) refused: %(why)s',
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
        raise heat_exception.ActionInProgress(stack_name=stack.name,
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
