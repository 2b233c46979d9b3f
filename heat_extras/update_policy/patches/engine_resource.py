# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: check changes of resources."""

import functools

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.update_policy import resource_check


@monkey_patch.extends('heat.engine.resource:Resource')
class UpdatePolicyResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap(
        signatures.RESOURCE_UPDATE,
        why='both engines call it to update a resource')
    def update(self, original, after, before=None, prev_resource=None,
               new_template_id=None, new_requires=None):
        yield from resource_check.update_resource(
            self, after,
            functools.partial(original, after, before, prev_resource,
                              new_template_id, new_requires))

    @monkey_patch.wrap('(self, action)',
                       why='it changes the old resource before the '
                           'replacement can be checked, for example it '
                           'detaches the ports of a server')
    def _prepare_update_replace(self, original, action):
        if resource_check.may_be_replaced(self):
            return original(action)

    @monkey_patch.wrap(
        '(self, template_id, new_requires, engine_id, timeout, new_stack, '
        'progress_callback=None)',
        why='only it has the new definition if the type changes')
    def update_convergence(self, original, template_id, new_requires,
                           engine_id, timeout, new_stack, *args, **kwargs):
        self.heat_extras_new_definition = (
            new_stack.defn.resource_definition(self.name))
        return original(template_id, new_requires, engine_id, timeout,
                        new_stack, *args, **kwargs)

    @monkey_patch.wrap('(self, restricted_actions)',
                       why='if the type changes, the resource is replaced '
                           'without a call of Resource.update')
    def _check_for_convergence_replace(self, original, restricted_actions):
        resource_check.check_replacement(self, self.heat_extras_new_definition)
        return original(restricted_actions)

    @monkey_patch.wrap('(self, template_id, engine_id, timeout, '
                       'progress_callback=None)',
                       why="Heat's restricted_actions do not include removal")
    def delete_convergence(self, original, template_id, *args, **kwargs):
        if self.current_template_id != template_id:
            resource_check.check_removal(self, self.stack)
        return original(template_id, *args, **kwargs)
