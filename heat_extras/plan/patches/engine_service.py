# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service` to add the plan to a preview."""

from heat_extras.heat_internals import rpc_errors
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.plan import preview
from heat_extras.update_plan import previewed


@monkey_patch.extends('heat.engine.service:EngineService')
class PlanServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(
        signatures.PREPARE_STACK_UPDATES,
        why='the only method in which a preview has both stacks')
    def _prepare_stack_updates(self, original, *args, **kwargs):
        prepared = original(*args, **kwargs)
        previewed.add_stacks(*prepared[1:])
        return prepared

    @monkey_patch.wrap(signatures.PREVIEW_UPDATE_STACK,
                       why='adds the plan to the response of a preview')
    def preview_update_stack(self, original, cnxt, *args, **kwargs):
        with previewed.collect_stacks() as stacks:
            changes = original(cnxt, *args, **kwargs)
        with rpc_errors.hide_internal_errors('preview'):
            return {**changes, **preview.plan_body(cnxt, *stacks)}
