# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: preview, delete of nested stacks."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.update_plan import previewed
from heat_extras.update_policy import nested_delete
from heat_extras.update_policy import update_check


@monkey_patch.extends('heat.engine.service:EngineService')
class UpdatePolicyServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(
        signatures.PREPARE_STACK_UPDATES,
        why='the only function in which a preview has both stacks')
    def _prepare_stack_updates(self, original, *args, **kwargs):
        prepared = original(*args, **kwargs)
        previewed.add_stacks(*prepared[1:])
        return prepared

    @monkey_patch.wrap(
        signatures.PREVIEW_UPDATE_STACK,
        why='the list of restricted resources is added to its result')
    def preview_update_stack(self, original, *args, **kwargs):
        with previewed.collect_stacks() as stacks:
            changes = original(*args, **kwargs)
            return {**changes,
                    'restricted': update_check.list_restricted(stacks)}

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity)',
        why='a nested stack can be deleted by its own ID')
    def delete_stack(self, original, cnxt, stack_identity):
        with nested_delete.set_operation('delete'):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(signatures.ABANDON_STACK,
                       why='a nested stack can be abandoned by its own ID')
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        # export_stack calls it with abandon=False, which only reads.
        with nested_delete.set_operation('abandon' if abandon else None):
            return original(cnxt, stack_identity, abandon=abandon)

    @monkey_patch.wrap(signatures.GET_STACK,
                       why='every RPC method calls it to get the row')
    def _get_stack(self, original, cnxt, *args, **kwargs):
        row = original(cnxt, *args, **kwargs)
        nested_delete.check_nested_delete(cnxt, row)
        return row
