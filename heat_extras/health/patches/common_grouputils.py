# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.grouputils`: unhealthy members are members."""

from heat_extras.health import sizes
from heat_extras import monkey_patch
from heat_extras.update_plan import group_size_context

EXTENDS = 'heat.common.grouputils'


@monkey_patch.wrap('(group, include_failed=False)',
                   why='scaling groups ask here how many members they have')
def get_size(original, group, include_failed=False):
    if include_failed or not group_size_context.is_under_way():
        return original(group, include_failed=include_failed)
    return sizes.of(group)
