# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: the acts of an update are checked."""

from heat.common import exception

from heat_extras.host import effect
from heat_extras import patching
from heat_extras.update_policy import at_the_act

_GUARD = 'heat_extras_guard'


@patching.extends('heat.engine.resource:Resource')
class UpdatePolicyResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @patching.wrap(
        '(self, after, before=None, prev_resource=None, '
        'new_template_id=None, new_requires=None)',
        why='both engines update every resource through it')
    def update(self, original, after, before=None, prev_resource=None,
               new_template_id=None, new_requires=None):
        def run():
            return original(after, before, prev_resource, new_template_id,
                            new_requires)

        guard = _guard(self, after)
        if guard is None:
            yield from run()
            return
        guard.watch()
        setattr(self, _GUARD, guard)
        try:
            yield from run()
        except exception.UpdateReplace:
            guard.fail(effect.RECREATE)
            raise
        finally:
            delattr(self, _GUARD)
            guard.unwatch()

    @patching.wrap('(self, action)',
                   why='it prepares the old resource, a server loses its '
                       'ports, before anybody hears of the replacement')
    def _prepare_update_replace(self, original, action):
        guard = getattr(self, _GUARD, None)
        if guard is None or guard.refusal_text(effect.RECREATE) is None:
            return original(action)

    @patching.wrap(
        '(self, template_id, new_requires, engine_id, timeout, new_stack, '
        'progress_callback=None)',
        why='it alone has the new definition when the type changes')
    def update_convergence(self, original, template_id, new_requires,
                           engine_id, timeout, new_stack, *args, **kwargs):
        self.heat_extras_new_definition = (
            new_stack.defn.resource_definition(self.name))
        return original(template_id, new_requires, engine_id, timeout,
                        new_stack, *args, **kwargs)

    @patching.wrap('(self, restricted_actions)',
                   why='a changed type means a replacement before '
                       'Resource.update is called')
    def _check_for_convergence_replace(self, original, restricted_actions):
        guard = _guard(self, self.heat_extras_new_definition)
        if guard is not None:
            guard.fail(effect.RECREATE)
        return original(restricted_actions)

    @patching.wrap('(self, template_id, engine_id, timeout, '
                   'progress_callback=None)',
                   why='restricted_actions of Heat do not know removals')
    def delete_convergence(self, original, template_id, *args, **kwargs):
        if (at_the_act.is_needed(self.stack)
                and self.current_template_id != template_id
                and self.action != self.INIT
                and self.name not in self.stack.defn.enabled_rsrc_names()):
            at_the_act.check_removal(self)
        return original(template_id, *args, **kwargs)


def _guard(resource, definition):
    if not at_the_act.is_needed(resource.stack):
        return None
    guard = at_the_act.Guard(resource, definition)
    return None if guard.is_idle else guard
