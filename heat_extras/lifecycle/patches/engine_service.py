# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: dead engines and denied operations."""

import functools

from heat_extras.heat_internals import signatures
from heat_extras.lifecycle import denied_action
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import recovery
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class LifecycleServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap('(self)', why='the only method that every engine '
                                     'calls periodically')
    def service_manage_report(self, original):
        result = original()
        recovery.recover_operations(self)
        return result

    @monkey_patch.wrap(
        signatures.ABANDON_STACK,
        why='it returns the data of the stack before a plugin can deny it')
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        with lock_callback.abandon_request(cnxt, abandon):
            return original(cnxt, stack_identity, abandon=abandon)

    @monkey_patch.wrap(
        signatures.UPDATE_STACK,
        why='it rejects every stack whose last action was DELETE or SUSPEND, '
            'also if that action was denied')
    def update_stack(self, original, cnxt, stack_identity, *args, **kwargs):
        return denied_action.update_denied_stack(
            cnxt, stack_identity, functools.partial(
                original, cnxt, stack_identity, *args, **kwargs))
