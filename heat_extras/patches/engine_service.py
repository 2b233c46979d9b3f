# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: the steps of a request."""

import functools
import inspect

from oslo_context import context as oslo_context

from heat_extras import gate
from heat_extras import guard
from heat_extras.health import service as health_service
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import thread_cleanup
from heat_extras import left_operations
from heat_extras import monkey_patch
from heat_extras.parameters import guard as parameters_guard
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock import operation_start
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use


@monkey_patch.extends('heat.engine.service:EngineService')
class EngineServiceMixin:

    @monkey_patch.wrap('(self)', why='the only method that every engine '
                                     'calls periodically')
    def service_manage_report(self, original):
        heartbeat.record_engine(self)
        result = original()
        left_operations.run(self)
        return result

    @monkey_patch.wrap('(self, cnxt, stack_identity, show_deleted=False)',
                       why='every RPC method reads the row of the stack here')
    def _get_stack(self, original, cnxt, stack_identity, show_deleted=False):
        row = original(cnxt, stack_identity, show_deleted=show_deleted)
        gate.check_row(row)
        return row

    @monkey_patch.wrap(
        '(self, cnxt, current_stack, template, params, environment_files, '
        'files, files_container, args, template_id=None)',
        why='the only method in which an update and its preview have both '
            'stacks before anything is stored')
    def _prepare_stack_updates(self, original, cnxt, current_stack, template,
                               params, environment_files, files,
                               files_container, args, template_id=None):
        # Only a parent passes a template that is stored already.
        return gate.prepare_update(
            guard.Update(current_stack, params, args, template_id is not None),
            functools.partial(original, cnxt, current_stack, template, params,
                              environment_files, files, files_container, args,
                              template_id))

    @monkey_patch.wrap('(cnxt, resource_name, stack)',
                       why='resource_mark_unhealthy calls it when the stack '
                           'is loaded and no lock is acquired',
                       feature='health')
    def _find_resource_in_stack(original, cnxt, resource_name, stack):
        return health_service.find_resource(original, cnxt, resource_name,
                                            stack)


@monkey_patch.extends('heat.engine.service:ThreadGroupManager')
class ThreadGroupManagerMixin:

    @monkey_patch.wrap(
        '(self, cnxt, stack, engine_id, func, *args, **kwargs)',
        why='without convergence, a restore reads the snapshot in the '
            'thread, and its caller would wait forever if it fails there',
        feature='parameters')
    def start_with_lock(self, original, cnxt, stack, engine_id, func, *args,
                        **kwargs):
        if inspect.ismethod(func) and func.__name__ == 'restore':
            parameters_guard.check_restore(stack, args[0])
        return original(cnxt, stack, engine_id, func, *args, **kwargs)

    @monkey_patch.wrap(
        '(self, stack_id, func, *args, **kwargs)',
        why='Heat 24 and 25 call this last before they delete a snapshot. '
            'They do not record this deletion, and do not hold the StackLock. '
            'It also keeps all ended threads of a stack, until the stack '
            'cannot start more threads', feature='stack_lock')
    def start(self, original, stack_id, func, *args, **kwargs):
        thread_cleanup.forget_ended_threads(self, stack_id)
        current = operations.current()
        if current == operations.SNAPSHOT_DELETE:
            context = oslo_context.get_current()
            check.check_again(context, stack_id, current)
        return delete_intent.start_thread(original, stack_id, func, *args,
                                          **kwargs)

    @monkey_patch.wrap('(self, stack, lock, func, *args, **kwargs)',
                       why='it is called when the StackLock is acquired and '
                           'before the thread starts. From this time on, a '
                           'lock waits for the operation',
                       feature='stack_lock')
    def start_with_acquired_lock(self, original, stack, *args, **kwargs):
        operation_start.check_start(stack)
        return pass_use.relock_after_thread(original(stack, *args, **kwargs),
                                            stack)
