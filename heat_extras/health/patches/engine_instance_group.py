# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resources.openstack.heat.instance_group`."""

from heat_extras import monkey_patch
from heat_extras.update_plan import group_size_context


@monkey_patch.extends(
    'heat.engine.resources.openstack.heat.instance_group:InstanceGroup')
class HealthInstanceGroupMixin:
    """Extends InstanceGroup."""

    @monkey_patch.wrap(
        '(self, json_snippet, tmpl_diff, prop_diff)',
        why='without a size of its own it keeps as many members '
            'as are healthy')
    def handle_update(self, original, *args, **kwargs):
        with group_size_context.under_way():
            return original(*args, **kwargs)
