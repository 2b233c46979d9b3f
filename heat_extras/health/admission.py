# SPDX-License-Identifier: Apache-2.0

"""Whether the health of a resource may be changed now."""

import contextlib

from heat.common import exception as heat_exception
from heat.common import service_utils
from heat.engine import stack_lock as heat_stack_lock
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.db import charset
from heat_extras.health import errors
from heat_extras.health import limit
from heat_extras.health import replacement
from heat_extras.health import request
from heat_extras.health import words
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


def check_reason(reason):
    """Insist on a reason that the database takes, if there is one.

    :raises HealthInvalid:
    """
    try:
        if reason is not None:
            request.check_reason(reason)
            charset.check(request.REASON, reason)
    except ValueError as error:
        raise errors.HealthInvalid(message=str(error)) from error


def find(original, context, resource_name, stack):
    """Find a resource as EngineService._find_resource_in_stack does.

    :raises ResourceNotFound:
    """
    try:
        # Heat looks for a physical ID, too, with a statement that databases
        # do not take.
        charset.check('name', resource_name)
        return original(context, resource_name, stack)
    except (KeyError, ValueError) as error:
        # Or it is that of a resource that left the template already.
        raise heat_exception.ResourceNotFound(
            resource_name=resource_name, stack_name=stack.name) from error


def check(asked, context, resource, stack):
    """Refuse what may not be done now; else note what the caller should know.

    :param asked: the :class:`marking.Request`, which gets the warnings.
    :raises HealthInvalid: for a resource that does not exist.
    :raises ActionInProgress: while an engine works on the stack.
    :raises TooManyUnhealthy: above the limit.
    """
    with _logged(stack):
        _check_exists(resource, stack)
        _check_stack_lock(context, stack)
        if asked.is_mark and not asked.is_forced:
            _check_limit(resource, stack)
    if asked.is_mark:
        asked.warnings.extend(replacement.obstacles(resource, stack))


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
        raise errors.HealthInvalid(
            message=words.never_created(resource.name, stack.name))
    if resource.action == resource.DELETE:
        raise errors.HealthInvalid(message=words.not_there(
            resource.name, stack.name, resource.action, resource.status))


def _check_stack_lock(context, stack):
    # A legacy stack's is taken by resource_mark_unhealthy itself. Heat 24
    # and 25 work under it on others, too, and hold no resource lock then.
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
    if limit.is_exceeded(unhealthy, len(existing), percent):
        raise errors.TooManyUnhealthy(message=words.too_many(
            stack.name, unhealthy, len(existing), percent))


def _is_unhealthy(resource):
    return resource.state == (resource.CHECK, resource.FAILED)
