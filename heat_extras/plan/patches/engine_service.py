# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: plans of previews and of updates."""

import functools

from heat_extras.heat_internals import rpc_errors
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.plan import planned_update
from heat_extras.plan import preview
from heat_extras.update_plan import previewed


@monkey_patch.extends('heat.engine.service:EngineService')
class PlanServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(
        signatures.PREPARE_STACK_UPDATES,
        why='the only method in which a preview has both stacks, and in which '
            'an update has them before it starts')
    def _prepare_stack_updates(self, original, cnxt, current_stack, template,
                               params, environment_files, files,
                               files_container, args, template_id=None):
        return planned_update.prepare(
            args, current_stack, params, functools.partial(
                original, cnxt, current_stack, template, params,
                environment_files, files, files_container, args, template_id))

    @monkey_patch.wrap(signatures.UPDATE_STACK,
                       why='Heat reports success if another update has '
                           'started first')
    def update_stack(self, original, *args, **kwargs):
        with planned_update.check_start():
            return original(*args, **kwargs)

    @monkey_patch.wrap(signatures.PREVIEW_UPDATE_STACK,
                       why='adds the plan to the response of a preview')
    def preview_update_stack(self, original, cnxt, *args, **kwargs):
        with previewed.collect_stacks() as stacks:
            changes = original(cnxt, *args, **kwargs)
        with rpc_errors.hide_internal_errors('preview'):
            return {**changes, **preview.plan_body(cnxt, *stacks)}
