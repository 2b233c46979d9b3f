# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resources.aws.autoscaling.autoscaling_group`.

OS::Heat::AutoScalingGroup inherits both methods.
"""

from heat_extras import monkey_patch
from heat_extras.update_plan import group_size_context


@monkey_patch.extends(
    'heat.engine.resources.aws.autoscaling.autoscaling_group:AutoScalingGroup')
class HealthScalingGroupMixin:
    """Extends AutoScalingGroup."""

    @monkey_patch.wrap(
        '(self, json_snippet, tmpl_diff, prop_diff)',
        why='without a desired size it keeps as many members as '
            'are healthy')
    def handle_update(self, original, *args, **kwargs):
        with group_size_context.under_way():
            return original(*args, **kwargs)

    @monkey_patch.wrap(
        "(self, adjustment, adjustment_type='ChangeInCapacity', "
        'min_adjustment_step=None, cooldown=None)',
        why='it counts from the healthy members, and removes one '
            'of them besides the unhealthy')
    def adjust(self, original, *args, **kwargs):
        with group_size_context.under_way():
            return original(*args, **kwargs)
