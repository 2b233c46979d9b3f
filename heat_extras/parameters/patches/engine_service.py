# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: reject updates before they start."""

import functools
import inspect

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.parameters import update_check
from heat_extras.parameters import values

_RESULT = 'the result of an RPC method of the engine'


@monkey_patch.extends('heat.engine.service:EngineService')
class ParametersServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(signatures.PREPARE_STACK_UPDATES,
                       why='the only function in which update and preview '
                           'have both stacks before anything is stored')
    def _prepare_stack_updates(self, original, cnxt, current_stack,
                               template, params, environment_files, files,
                               files_container, args, template_id=None):
        # Only a parent passes a template that is stored already.
        return update_check.check_prepared_update(functools.partial(
            original, cnxt, current_stack, template, params,
            environment_files, files, files_container, args, template_id),
            current_stack, is_from_parent=template_id is not None)

    @monkey_patch.wrap(
        signatures.UPDATE_STACK,
        why='an error in it is a rejected update, not a rejected preview')
    def update_stack(self, original, cnxt, stack_identity, *args, **kwargs):
        with update_check.count_refusals(cnxt, stack_identity, 'update'):
            return original(cnxt, stack_identity, *args, **kwargs)

    @monkey_patch.wrap(signatures.STACK_RESTORE,
                       why='an error in it is a rejected restore')
    def stack_restore(self, original, cnxt, stack_identity, snapshot_id):
        with update_check.count_refusals(cnxt, stack_identity, 'restore'):
            return original(cnxt, stack_identity, snapshot_id)

    @monkey_patch.wrap(signatures.SHOW_STACK, why=_RESULT)
    def show_stack(self, original, *args, **kwargs):
        return values.add_updatable_field(original(*args, **kwargs))


@monkey_patch.extends('heat.engine.service:ThreadGroupManager')
class ParametersThreadGroupManagerMixin:
    """Extends heat.engine.service:ThreadGroupManager."""

    @monkey_patch.wrap(
        '(self, cnxt, stack, engine_id, func, *args, **kwargs)',
        why='without convergence, a restore reads the snapshot in the '
            'thread, and its caller would wait forever if it fails there')
    def start_with_lock(self, original, cnxt, stack, engine_id, func, *args,
                        **kwargs):
        if inspect.ismethod(func) and func.__name__ == 'restore':
            update_check.check_restore(stack, args[0])
        return original(cnxt, stack, engine_id, func, *args, **kwargs)
