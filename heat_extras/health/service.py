# SPDX-License-Identifier: Apache-2.0

"""The request to change a resource's health, in the engine.

Heat's own method loads the stack, takes the lock and writes the state; the
wrappers along its way find the request of their thread here.
"""

import contextlib
import contextvars
import dataclasses

from heat.common import exception as heat_exception
from heat.common import service_utils
from heat.engine import stack_lock as heat_stack_lock
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras import context_vars
from heat_extras.db import charset
from heat_extras.health import errors
from heat_extras.health import guards
from heat_extras.health import request
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_current = contextvars.ContextVar('heat_extras_marking', default=None)


@dataclasses.dataclass
class CurrentRequest:
    """What was asked for, and the warnings for the answer."""

    is_mark: bool
    is_forced: bool = False
    warnings: list = dataclasses.field(default_factory=list)

    def answer(self, resource_name):
        """Make the body of the answer: null, as Heat's, without warnings."""
        if not self.warnings:
            return None
        return {'mark_unhealthy': {'resource_name': resource_name,
                                   'warnings': self.warnings}}


def set_request(current):
    """Set the request of this thread, in a context manager."""
    return context_vars.override(_current, current)


def get_request():
    """Return the :class:`CurrentRequest` of this thread, or None."""
    return _current.get()


def check_reason(reason):
    """Check that the database can store a reason, if there is one.

    :raises HealthInvalid:
    """
    try:
        if reason is not None:
            request.check_reason(reason)
            charset.check_storable(request.REASON, reason)
    except ValueError as error:
        raise errors.HealthInvalid(message=str(error)) from error


def find(original, context, resource_name, stack):
    """Find a resource as EngineService._find_resource_in_stack does.

    :raises ResourceNotFound:
    """
    try:
        # Heat looks for a physical ID, too, with a statement that databases
        # do not take.
        charset.check_storable('name', resource_name)
        return original(context, resource_name, stack)
    except (KeyError, ValueError) as error:
        # Or the ID is of a resource that left the template already.
        raise heat_exception.ResourceNotFound(
            resource_name=resource_name, stack_name=stack.name) from error


def check(current, context, resource, stack):
    """Reject a request that is not allowed now; otherwise add warnings.

    :param current: the :class:`CurrentRequest`.
    :raises HealthInvalid: for a resource that does not exist.
    :raises ActionInProgress: while an engine works on the stack.
    :raises TooManyUnhealthy: above the limit.
    """
    with _logged(stack):
        _check_exists(resource, stack)
        _check_stack_lock(context, stack)
        if current.is_mark and not current.is_forced:
            _check_limit(resource, stack)
    if current.is_mark:
        current.warnings.extend(guards.replace_blockers(resource, stack))


@contextlib.contextmanager
def _logged(stack):
    try:
        yield
    except heat_exception.HeatException as error:
        LOG.info('mark unhealthy of stack %(name)s (%(id)s) refused: %(why)s',
                 {'name': stack.name, 'id': stack.id,
                  'why': sanitize.printable(error)})
        raise


def _check_exists(resource, stack):
    if resource.action == resource.INIT or resource.id is None:
        found = 'was never created'
    elif resource.action == resource.DELETE:
        found = f'is {resource.action}_{resource.status}'
    else:
        return
    raise errors.HealthInvalid(
        message=f'Resource {resource.name} of stack {stack.name} {found}: '
                'only a resource that exists can be marked as healthy or '
                'unhealthy. The next update of the stack creates what is '
                'missing.')


def _check_stack_lock(context, stack):
    # A legacy stack's is taken by resource_mark_unhealthy itself. Heat 24
    # and 25 work under it on others, too, and have no resource lock then.
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
            message=f'Stack {stack.name} has {unhealthy} unhealthy resources '
                    f'of {len(existing)}: one more exceeds '
                    f'max_unhealthy_percent = {percent} of this cloud. '
                    'First update the stack to replace them, or repeat the '
                    'request with ?force=true.')


def _is_unhealthy(resource):
    return resource.state == (resource.CHECK, resource.FAILED)
