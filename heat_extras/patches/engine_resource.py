# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: guards at a resource."""

import functools

from heat_extras import gate
from heat_extras.health import service
from heat_extras.heat_internals import object_data
from heat_extras import monkey_patch
from heat_extras.stack_lock import check
from heat_extras.update_policy import resource_check


@monkey_patch.extends('heat.engine.resource:Resource')
class ResourceMixin:

    @monkey_patch.wrap(
        '(self)', why='the only check of a signal that runs while the caller '
                      'waits and is known, and the answer to an ignored '
                      'signal is 200 in every state of the resource')
    def _signal_check_action(self, original):
        return gate.ask('accept_signal', original, self)

    @monkey_patch.wrap('(self, details=None, need_check=True)',
                       why='every signal calls handle_signal through this '
                           'method')
    def signal(self, original, details=None, need_check=True):
        return gate.ask('signal', functools.partial(
            original, details, need_check), self, details)

    @monkey_patch.wrap('(self, details)',
                       why='this is the only check of hooks that runs while '
                           'the caller waits for the response',
                       feature='stack_lock')
    def _signal_check_hook(self, original, details):
        check.check_hook(self, details)
        return original(details)

    @monkey_patch.wrap(
        '(self, after, before=None, prev_resource=None, '
        'new_template_id=None, new_requires=None)',
        why='both engines call it to update a resource, and many types '
            'decide in _needs_update or needs_replace_failed whether to '
            'replace a resource in CHECK_FAILED')
    def update(self, original, after, *args, **kwargs):
        return gate.ask('update_resource', functools.partial(
            original, after, *args, **kwargs), self, after)

    @monkey_patch.wrap('(self, after, before, after_props, before_props, '
                       'prev_resource, check_init_complete=False)',
                       why='as for update', feature='health')
    def preview_update(self, original, *args, **kwargs):
        service.force_replace(self)
        return original(*args, **kwargs)

    @monkey_patch.wrap(
        "(self, action, status, reason='state changed', lock=None)",
        why='resource_mark_unhealthy calls it when it holds the lock and '
            'has not written the state', feature='health')
    def state_set(self, original, action, status, reason='state changed',
                  **kwargs):
        mark = service.current_mark()
        if mark is not None and action == self.CHECK:
            service.record_change(self, reason, mark.is_mark)
        return original(action, status, reason, **kwargs)

    @monkey_patch.wrap(
        '(self)', why='it accepts only resources in SUSPEND_COMPLETE',
        feature='health')
    def resume(self, original):
        if service.is_suspended(self):
            # Change it only in memory. The first state that resume() stores
            # is RESUME_IN_PROGRESS.
            self.action = self.SUSPEND
        return original()

    @monkey_patch.wrap(
        '(self)', why='a resource of a type that cannot be checked would '
                      'change to CHECK_COMPLETE, and lose its mark',
        feature='health')
    def check(self, original):
        service.fail_check(self)
        return original()

    @monkey_patch.wrap(
        '(self)', why='it ends with SNAPSHOT_COMPLETE, and the resource '
                      'would lose its mark', feature='health')
    def snapshot(self, original):
        return service.remark_after(self, original())

    @monkey_patch.wrap('(self, action)',
                       why='it changes the old resource before the '
                           'replacement can be checked, for example it '
                           'detaches the ports of a server',
                       feature='update_policy')
    def _prepare_update_replace(self, original, action):
        if resource_check.may_be_replaced(self):
            return original(action)

    @monkey_patch.wrap(
        '(self, template_id, new_requires, engine_id, timeout, new_stack, '
        'progress_callback=None)',
        why='only it has the new definition if the type changes',
        feature='update_policy')
    def update_convergence(self, original, template_id, new_requires,
                           engine_id, timeout, new_stack, *args, **kwargs):
        object_data.of_resource(self).new_definition = (
            new_stack.defn.resource_definition(self.name))
        return original(template_id, new_requires, engine_id, timeout,
                        new_stack, *args, **kwargs)

    @monkey_patch.wrap('(self, restricted_actions)',
                       why='if the type changes, the resource is replaced '
                           'without a call of Resource.update',
                       feature='update_policy')
    def _check_for_convergence_replace(self, original, restricted_actions):
        resource_check.check_replacement(
            self, object_data.of_resource(self).new_definition)
        return original(restricted_actions)

    @monkey_patch.wrap('(self, template_id, engine_id, timeout, '
                       'progress_callback=None)',
                       why="Heat's restricted_actions do not include removal",
                       feature='update_policy')
    def delete_convergence(self, original, template_id, *args, **kwargs):
        if self.current_template_id != template_id:
            resource_check.check_removal(self, self.stack)
        return original(template_id, *args, **kwargs)
