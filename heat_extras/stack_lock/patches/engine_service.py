# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: lock, unlock, and early checks."""

import functools

from oslo_context import context as oslo_context

from heat_extras.heat_internals import signatures
from heat_extras.heat_internals import thread_cleanup
from heat_extras import monkey_patch
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import check
from heat_extras.stack_lock import dead_engines
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock.delete_protection import service as delete_service
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock.lock_list import list_query
from heat_extras.stack_lock.lock_pass import grant
from heat_extras.stack_lock.lock_pass import relock
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import rpc_check
from heat_extras.stack_lock import service
from heat_extras.stack_lock import stack_fields
from heat_extras.stack_lock import states

_RPC = ('this is an RPC method of the engine, and Heat has no hook before it '
        'loads and changes the stack')
_wrap = functools.partial(monkey_patch.wrap, why=_RPC)
_add = monkey_patch.add(why='the API calls the engine by RPC')
_ANSWER = 'this is the response of an RPC method of the engine'
_IDENTITY = '(self, cnxt, stack_identity)'


@monkey_patch.extends('heat.engine.service:EngineService')
class StackLockServiceMixin:
    """Extends heat.engine.service:EngineService.

    Each wrapper only sets the operation. The check uses the row that Heat
    loads through ``_get_stack``, without a further query. It gives a fast and
    clear error. :mod:`heat_extras.stack_lock.lock_transaction` enforces the
    lock.
    """

    # The RPC methods that the API calls.
    stack_lock = _add(rpc_check.make_rpc_method('lock', service.lock))
    stack_unlock = _add(rpc_check.make_rpc_method('unlock', service.unlock))
    stack_extend_lock = _add(rpc_check.make_rpc_method(
        'extend_lock', service.extend_lock))
    stack_lock_pass = _add(rpc_check.make_rpc_method(
        'lock_pass', grant.grant_or_revoke))
    stack_protect = _add(rpc_check.make_rpc_method(
        'protect', delete_service.protect))
    stack_unprotect = _add(rpc_check.make_rpc_method(
        'unprotect', delete_service.unprotect))
    list_stack_locks = _add(rpc_check.make_rpc_method(
        'list of locks', list_query.list_locks))

    @monkey_patch.wrap(signatures.GET_STACK,
                       why='every RPC method reads the row of the stack here')
    def _get_stack(self, original, cnxt, stack_identity, show_deleted=False):
        stack = original(cnxt, stack_identity, show_deleted=show_deleted)
        rpc_check.check_row(cnxt, stack)
        return stack

    @_wrap(signatures.UPDATE_STACK)
    def update_stack(self, original, cnxt, *args, **kwargs):
        with (rpc_check.rpc_operation(operations.UPDATE, cnxt),
              rpc_check.with_pass(cnxt)):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap(
        signatures.PREPARE_STACK_UPDATES,
        why='only this method has both stacks before Heat removes the tags '
            'that the request does not have')
    def _prepare_stack_updates(self, original, cnxt, current_stack, template,
                               params, environment_files, files,
                               files_container, args, *rest, **kwargs):
        template, current, updated = original(
            cnxt, current_stack, template, params, environment_files, files,
            files_container, args, *rest, **kwargs)
        protection_tag.keep_tag(current, updated, args)
        return template, current, updated

    @_wrap(_IDENTITY)
    def delete_stack(self, original, cnxt, stack_identity):
        with (rpc_check.rpc_operation(states.DELETE, cnxt),
              deletion.deleting_service(self),
              delete_intent.delete_context(self.engine_id)):
            return original(cnxt, stack_identity)

    @_wrap(signatures.ABANDON_STACK)
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        # export_stack calls this with abandon=False, and only reads.
        with (rpc_check.rpc_operation(
                operations.ABANDON if abandon else operations.EXPORT, cnxt),
              delete_intent.delete_context(self.engine_id)):
            return original(cnxt, stack_identity, abandon=abandon)

    stack_suspend = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operations.SUSPEND))
    stack_resume = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operations.RESUME))
    stack_check = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operations.CHECK))
    stack_snapshot = _wrap('(self, cnxt, stack_identity, name)')(
        rpc_check.checking_wrapper(operations.SNAPSHOT))
    delete_snapshot = _wrap('(self, cnxt, stack_identity, snapshot_id)')(
        rpc_check.checking_wrapper(operations.SNAPSHOT_DELETE))
    stack_restore = _wrap(signatures.STACK_RESTORE)(
        rpc_check.checking_wrapper(operations.RESTORE))
    stack_cancel_update = _wrap(
        '(self, cnxt, stack_identity, cancel_with_rollback=True)')(
        rpc_check.checking_wrapper(operations.CANCEL))
    resource_signal = _wrap(signatures.RESOURCE_SIGNAL)(
        rpc_check.checking_wrapper(operations.SIGNAL))

    @_wrap(signatures.MARK_UNHEALTHY)
    def resource_mark_unhealthy(self, original, cnxt, stack_identity, *args,
                                **kwargs):
        with rpc_check.rpc_operation(operations.MARK_UNHEALTHY, cnxt):
            return rpc_check.check_mark(
                functools.partial(original, cnxt, stack_identity, *args,
                                  **kwargs),
                cnxt, stack_identity['stack_id'])

    @monkey_patch.wrap(signatures.SHOW_STACK, why=_ANSWER)
    def show_stack(self, original, *args, **kwargs):
        return stack_fields.add_fields_to_show(args[0], original(*args,
                                                                 **kwargs))

    @monkey_patch.wrap(signatures.LIST_STACKS, why=_ANSWER)
    def list_stacks(self, original, *args, **kwargs):
        return stack_fields.add_fields_to_list(args[0], original(*args,
                                                                 **kwargs))

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity, resource_name, with_attr=None)',
        why=_ANSWER)
    def describe_stack_resource(self, original, *args, **kwargs):
        info, = resource_fields.fill_fields(args[0], [original(*args,
                                                               **kwargs)])
        return info

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity, nested_depth=0, with_detail=False, '
        'filters=None)', why=_ANSWER)
    def list_stack_resources(self, original, *args, **kwargs):
        return resource_fields.fill_fields(args[0], original(*args, **kwargs))

    @_wrap('(self, ctxt, stack_id)')
    def migrate_convergence_1(self, original, ctxt, stack_id):
        with rpc_check.rpc_operation(operations.MIGRATE, ctxt):
            check.check_again(ctxt, stack_id,
                              request_context.get_operation())
            return original(ctxt, stack_id)

    @monkey_patch.wrap('(self)', why='an engine calls this regularly, also '
                                     'when it is idle')
    def service_manage_report(self, original):
        result = original()
        dead_engines.fail_interrupted(self)
        relock.relock_due()
        grant.expire_unused()
        auto_unlock.unlock_due(self)
        return result


@monkey_patch.extends('heat.engine.service:ThreadGroupManager')
class StackLockThreadGroupManagerMixin:
    """Extends heat.engine.service:ThreadGroupManager."""

    @monkey_patch.wrap(
        '(self, stack_id, func, *args, **kwargs)',
        why='Heat 24 and 25 call this last before they delete a snapshot. '
            'They do not record this deletion, and do not hold the StackLock. '
            'It also keeps all ended threads of a stack, until the stack '
            'cannot start more threads')
    def start(self, original, stack_id, func, *args, **kwargs):
        thread_cleanup.forget_ended_threads(self, stack_id)
        current = request_context.get_operation()
        if current == operations.SNAPSHOT_DELETE:
            context = oslo_context.get_current()
            check.check_again(context, stack_id, current)
        return delete_intent.start_thread(original, stack_id, func, *args,
                                          **kwargs)

    @monkey_patch.wrap('(self, stack, lock, func, *args, **kwargs)',
                       why='it is called when the StackLock is acquired and '
                           'before the thread starts. From this time on, a '
                           'lock waits for the operation')
    def start_with_acquired_lock(self, original, stack, *args, **kwargs):
        rpc_check.check_start(stack)
        return relock.relock_after_thread(original(stack, *args, **kwargs),
                                          stack)
