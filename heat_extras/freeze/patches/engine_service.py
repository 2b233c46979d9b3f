# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: nothing begins in a freeze."""

from heat_extras.freeze import file_watch
from heat_extras.freeze import rpc_check
from heat_extras.heat_internals import operation_names as names
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch

_RPC = ('an RPC method of the engine: Heat has no hook before it loads and '
        'changes the stack')
_IDENTITY = '(self, cnxt, stack_identity)'


@monkey_patch.extends('heat.engine.service:EngineService')
class FreezeServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(signatures.GET_STACK,
                       why='the one place where every RPC method gets the row')
    def _get_stack(self, original, cnxt, stack_identity, show_deleted=False):
        stack = original(cnxt, stack_identity, show_deleted=show_deleted)
        rpc_check.check_row(cnxt, stack)
        return stack

    @monkey_patch.wrap(signatures.CREATE_STACK, why=_RPC)
    def create_stack(self, original, cnxt, stack_name, *args, **kwargs):
        with rpc_check.creating(cnxt, stack_name, kwargs.get('owner_id')):
            return original(cnxt, stack_name, *args, **kwargs)

    @monkey_patch.wrap(signatures.UPDATE_STACK, why=_RPC)
    def update_stack(self, original, cnxt, *args, **kwargs):
        with rpc_check.asked(cnxt, names.UPDATE):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def delete_stack(self, original, cnxt, stack_identity):
        with rpc_check.asked(cnxt, names.DELETE):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(signatures.ABANDON_STACK, why=_RPC)
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        # export_stack calls this with abandon=False, and only reads.
        with rpc_check.asked(cnxt, names.ABANDON if abandon else None):
            return original(cnxt, stack_identity, abandon=abandon)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_suspend(self, original, cnxt, stack_identity):
        with rpc_check.asked(cnxt, names.SUSPEND):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_resume(self, original, cnxt, stack_identity):
        with rpc_check.asked(cnxt, names.RESUME):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_check(self, original, cnxt, stack_identity):
        with rpc_check.asked(cnxt, names.CHECK):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap('(self, cnxt, stack_identity, name)', why=_RPC)
    def stack_snapshot(self, original, cnxt, stack_identity, name):
        with rpc_check.asked(cnxt, names.SNAPSHOT):
            return original(cnxt, stack_identity, name)

    @monkey_patch.wrap('(self, cnxt, stack_identity, snapshot_id)', why=_RPC)
    def delete_snapshot(self, original, cnxt, stack_identity, snapshot_id):
        with rpc_check.asked(cnxt, names.SNAPSHOT_DELETE):
            return original(cnxt, stack_identity, snapshot_id)

    @monkey_patch.wrap(signatures.STACK_RESTORE, why=_RPC)
    def stack_restore(self, original, cnxt, stack_identity, snapshot_id):
        with rpc_check.asked(cnxt, names.RESTORE):
            return original(cnxt, stack_identity, snapshot_id)

    @monkey_patch.wrap(signatures.MARK_UNHEALTHY, why=_RPC)
    def resource_mark_unhealthy(self, original, cnxt, *args, **kwargs):
        with rpc_check.asked(cnxt, names.MARK_UNHEALTHY):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap(signatures.RESOURCE_SIGNAL, why=_RPC)
    def resource_signal(self, original, cnxt, *args, **kwargs):
        with rpc_check.asked(cnxt, names.SIGNAL):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap('(self, ctxt, stack_id)', why=_RPC)
    def migrate_convergence_1(self, original, ctxt, stack_id):
        with rpc_check.migrating(ctxt, stack_id):
            return original(ctxt, stack_id)

    @monkey_patch.wrap('(self)', why='the one thing that an engine does '
                                     'regularly, whatever it works on')
    def service_manage_report(self, original):
        result = original()
        file_watch.report(self)
        return result
