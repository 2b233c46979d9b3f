# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: the effects of a mark."""

from heat_extras.health import mark_table
from heat_extras.health import service
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch

_TYPES = ('many types decide in _needs_update or needs_replace_failed whether '
          'to replace a resource in CHECK_FAILED')


@monkey_patch.extends('heat.engine.resource:Resource')
class HealthResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap(
        "(self, action, status, reason='state changed', "
        'lock=None)',
        why='resource_mark_unhealthy calls it when it holds the lock and '
            'has not written the state')
    def state_set(self, original, action, status, reason='state changed',
                  **kwargs):
        request = service.get_request()
        if request is not None and action == self.CHECK:
            mark_table.record_change(self, reason, request.is_mark)
        return original(action, status, reason, **kwargs)

    @monkey_patch.wrap(signatures.RESOURCE_UPDATE, why=_TYPES)
    def update(self, original, *args, **kwargs):
        mark_table.force_replace(self)
        return original(*args, **kwargs)

    @monkey_patch.wrap('(self, after, before, after_props, before_props, '
                       'prev_resource, check_init_complete=False)', why=_TYPES)
    def preview_update(self, original, *args, **kwargs):
        mark_table.force_replace(self)
        return original(*args, **kwargs)

    @monkey_patch.wrap(
        '(self)', why='it accepts only resources in SUSPEND_COMPLETE')
    def resume(self, original):
        if mark_table.is_suspended(self):
            # Change it only in memory. The first state that resume() stores
            # is RESUME_IN_PROGRESS.
            self.action = self.SUSPEND
        return original()

    @monkey_patch.wrap(
        '(self)', why='a resource of a type that cannot be checked would '
                      'change to CHECK_COMPLETE, and lose its mark')
    def check(self, original):
        mark_table.fail_check(self)
        return original()

    @monkey_patch.wrap(
        '(self)', why='it ends with SNAPSHOT_COMPLETE, and the resource '
                      'would lose its mark')
    def snapshot(self, original):
        return mark_table.remark_after(self, original())
