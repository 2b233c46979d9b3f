# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: what a mark means to a resource."""

from heat_extras.health import mark_table
from heat_extras.health import service
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch

_TYPES = ('many types decide by themselves what becomes of CHECK_FAILED, in '
          '_needs_update or needs_replace_failed')


@monkey_patch.extends('heat.engine.resource:Resource')
class HealthResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap(
        "(self, action, status, reason='state changed', "
        'lock=None)',
        why='the moment in resource_mark_unhealthy when the lock '
            'is held and nothing is written yet')
    def state_set(self, original, action, status, reason='state changed',
                  **kwargs):
        request = service.get_request()
        if request is not None and action == self.CHECK:
            mark_table.write(self, reason, request.is_mark)
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

    @monkey_patch.wrap('(self)', why='it takes only what is SUSPEND_COMPLETE')
    def resume(self, original):
        if mark_table.is_suspended(self):
            # Only here in memory; the first thing that resume() writes is
            # RESUME_IN_PROGRESS.
            self.action = self.SUSPEND
        return original()

    @monkey_patch.wrap('(self)', why='a type that cannot be checked would be '
                                     'CHECK_COMPLETE, and the mark forgotten')
    def check(self, original):
        mark_table.fail_check(self)
        return original()

    @monkey_patch.wrap(
        '(self)', why='it leaves SNAPSHOT_COMPLETE, and the mark '
                      'would be forgotten')
    def snapshot(self, original):
        return mark_table.remark_after(self, original())
