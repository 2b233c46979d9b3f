# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: reject operations in a freeze."""

import functools

from heat.common import context as heat_context

from heat_extras.freeze import file_watch
from heat_extras.freeze import listing
from heat_extras.freeze import rpc_check
from heat_extras.heat_internals import operation_names
from heat_extras.heat_internals import rpc_errors
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch

_RPC = ('this is an RPC method of the engine, and Heat has no hook before it '
        'loads and changes the stack')
_IDENTITY = '(self, cnxt, stack_identity)'
_wrap = functools.partial(monkey_patch.wrap, why=_RPC)


@monkey_patch.extends('heat.engine.service:EngineService')
class FreezeServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(signatures.GET_STACK,
                       why='every RPC method reads the row of the stack here')
    def _get_stack(self, original, cnxt, stack_identity, show_deleted=False):
        stack = original(cnxt, stack_identity, show_deleted=show_deleted)
        rpc_check.check_row(cnxt, stack)
        return stack

    @monkey_patch.wrap(signatures.CREATE_STACK, why=_RPC)
    def create_stack(self, original, cnxt, stack_name, *args, **kwargs):
        with rpc_check.check_create(cnxt, stack_name, kwargs.get('owner_id')):
            return original(cnxt, stack_name, *args, **kwargs)

    @monkey_patch.wrap(signatures.ABANDON_STACK, why=_RPC)
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        # export_stack calls this with abandon=False, and only reads.
        with rpc_check.set_operation(
                cnxt, operation_names.ABANDON if abandon else None):
            return original(cnxt, stack_identity, abandon=abandon)

    update_stack = _wrap(signatures.UPDATE_STACK)(
        rpc_check.checking_wrapper(operation_names.UPDATE))
    delete_stack = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operation_names.DELETE))
    stack_suspend = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operation_names.SUSPEND))
    stack_resume = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operation_names.RESUME))
    stack_check = _wrap(_IDENTITY)(
        rpc_check.checking_wrapper(operation_names.CHECK))
    stack_snapshot = _wrap('(self, cnxt, stack_identity, name)')(
        rpc_check.checking_wrapper(operation_names.SNAPSHOT))
    delete_snapshot = _wrap('(self, cnxt, stack_identity, snapshot_id)')(
        rpc_check.checking_wrapper(operation_names.SNAPSHOT_DELETE))
    stack_restore = _wrap(signatures.STACK_RESTORE)(
        rpc_check.checking_wrapper(operation_names.RESTORE))
    resource_mark_unhealthy = _wrap(signatures.MARK_UNHEALTHY)(
        rpc_check.checking_wrapper(operation_names.MARK_UNHEALTHY))
    resource_signal = _wrap(signatures.RESOURCE_SIGNAL)(
        rpc_check.checking_wrapper(operation_names.SIGNAL))

    @monkey_patch.wrap('(self, ctxt, stack_id)', why=_RPC)
    def migrate_convergence_1(self, original, ctxt, stack_id):
        with rpc_check.check_migration(ctxt, stack_id):
            return original(ctxt, stack_id)

    @monkey_patch.add(why='the API calls the engine by RPC')
    @heat_context.request_context
    def list_freezes(self, cnxt):
        """List the freezes that apply to the caller, now and next.

        :returns: a list of dicts, see :mod:`heat_extras.freeze.listing`.
        """
        with rpc_errors.hide_internal_errors('freezes', is_own=True):
            return listing.list_freezes(cnxt)

    @monkey_patch.wrap('(self)', why='an engine calls this regularly, also '
                                     'when it is idle')
    def service_manage_report(self, original):
        result = original()
        file_watch.report(self)
        return result
