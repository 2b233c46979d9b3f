# SPDX-License-Identifier: Apache-2.0

"""Extends Heat's ResourceGroup: its removed members after a failed update."""

from heat_extras.heat_internals import last_applied
from heat_extras import monkey_patch


@monkey_patch.extends(
    'heat.engine.resources.openstack.heat.resource_group:ResourceGroup')
class ResourceGroupMixin:

    @monkey_patch.wrap('(self, properties)',
                       why='the group stores the members to remove before it '
                           'removes them, and adds later ones to the list')
    def _update_name_skiplist(self, original, properties):
        last_applied.forget_kept_members(self)
        return original(properties)
