# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: who may change whose health."""

import contextlib

from heat.common import exception as heat_exception
from heat.common import service_utils
from heat.engine import stack_lock as heat_stack_lock
from oslo_config import cfg
from oslo_messaging.rpc import dispatcher

from heat_extras.db import charset
from heat_extras.health import errors
from heat_extras.health import limit
from heat_extras.health import marking
from heat_extras.health import replacement
from heat_extras.health import request
from heat_extras.health import words
from heat_extras import patching


@patching.extends('heat.engine.service:EngineService')
class HealthServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @patching.wrap(
        '(self, cnxt, stack_identity, resource_name, mark_unhealthy, '
        'resource_status_reason=None)',
        why='an RPC method of the engine: it writes the state before it '
            'meets a reason that is no string')
    def resource_mark_unhealthy(self, original, cnxt, stack_identity,
                                resource_name, mark_unhealthy,
                                resource_status_reason=None, force=False):
        with _expected():
            _check_reason(resource_status_reason)
        asked = marking.Request(mark_unhealthy is True, force is True)
        with marking.under_way(asked):
            original(cnxt, stack_identity, resource_name, mark_unhealthy,
                     resource_status_reason=resource_status_reason)
        return asked.answer(resource_name)

    @patching.wrap('(cnxt, resource_name, stack)',
                   why='in resource_mark_unhealthy, the moment when stack '
                       'and resource are loaded and no lock is taken')
    def _find_resource_in_stack(original, cnxt, resource_name, stack):
        asked = marking.current()
        if asked is None:
            return original(cnxt, resource_name, stack)
        resource = _find(original, cnxt, resource_name, stack)
        _check_exists(resource, stack)
        _check_stack_lock(cnxt, stack)
        if asked.is_mark:
            _check_limit(asked, resource, stack)
            asked.warnings.extend(replacement.obstacles(resource, stack))
        return resource


@contextlib.contextmanager
def _expected():
    try:
        yield
    except heat_exception.HeatException as error:
        # As heat.common.context.request_context does: the RPC server need
        # not log what the caller is told anyway.
        raise dispatcher.ExpectedException() from error


def _check_reason(reason):
    try:
        if reason is not None:
            request.check_reason(reason)
            charset.check(request.REASON, reason)
    except ValueError as error:
        raise errors.HealthInvalid(message=str(error)) from error


def _find(original, context, resource_name, stack):
    try:
        # Heat looks for a physical ID, too, with a statement that databases
        # do not take.
        charset.check('name', resource_name)
        return original(context, resource_name, stack)
    except (KeyError, ValueError) as error:
        # Or it is that of a resource that left the template already.
        raise heat_exception.ResourceNotFound(
            resource_name=resource_name, stack_name=stack.name) from error


def _check_exists(resource, stack):
    if resource.action == resource.INIT or resource.id is None:
        found = 'was never created'
    elif resource.action == resource.DELETE:
        found = f'is {resource.action}_{resource.status}'
    else:
        return
    raise errors.HealthInvalid(
        message=words.not_there(resource.name, stack.name, found))


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


def _check_limit(asked, resource, stack):
    percent = cfg.CONF.heat_extras.max_unhealthy_percent
    if percent is None or asked.is_forced or _is_unhealthy(resource):
        return
    existing = [each for each in stack.values()
                if each.action not in (each.INIT, each.DELETE)]
    unhealthy = sum(map(_is_unhealthy, existing))
    if limit.is_exceeded(unhealthy, len(existing), percent):
        raise errors.TooManyUnhealthy(message=words.too_many(
            stack.name, unhealthy, len(existing), percent))


def _is_unhealthy(resource):
    return resource.state == (resource.CHECK, resource.FAILED)
