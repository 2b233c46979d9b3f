# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.update`: check changes in the legacy engine."""

from heat_extras import monkey_patch
from heat_extras.update_policy import resource_check


@monkey_patch.extends('heat.engine.update:StackUpdate')
class UpdatePolicyStackUpdateMixin:
    """Extends heat.engine.update:StackUpdate."""

    @monkey_patch.wrap('(self, res)',
                       why='if the type changes, the resource is replaced '
                           'without a call of Resource.update')
    def _check_replace_restricted(self, original, res):
        resource_check.check_replacement(self.existing_stack[res.name], res.t)
        return original(res)

    @monkey_patch.wrap('(self, existing_res)',
                       why="Heat's restricted_actions do not include removal")
    def _process_existing_resource_update(self, original, existing_res):
        resource_check.check_removal(existing_res, self.new_stack)
        yield from original(existing_res)
