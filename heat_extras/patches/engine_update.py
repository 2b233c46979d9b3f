# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.update`: an update of the legacy engine."""

from heat_extras.lifecycle import legacy_engine
from heat_extras import monkey_patch
from heat_extras.update_policy import resource_check


@monkey_patch.extends('heat.engine.update:StackUpdate')
class StackUpdateMixin:

    @monkey_patch.wrap(
        '(self)',
        why='Stack.update_task calls plugins after it has stored the final '
            'state, and not before a rollback', feature='lifecycle')
    def __call__(self, original):
        yield from legacy_engine.run_update_task(self, original())

    @monkey_patch.wrap('(self, res)',
                       why='if the type changes, the resource is replaced '
                           'without a call of Resource.update',
                       feature='update_policy')
    def _check_replace_restricted(self, original, res):
        resource_check.check_replacement(self.existing_stack[res.name], res.t)
        return original(res)

    @monkey_patch.wrap('(self, existing_res)',
                       why="Heat's restricted_actions do not include removal",
                       feature='update_policy')
    def _process_existing_resource_update(self, original, existing_res):
        resource_check.check_removal(existing_res, self.new_stack)
        yield from original(existing_res)
