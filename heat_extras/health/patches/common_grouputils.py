# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.grouputils`: count unhealthy members."""

from heat_extras.health import mark_table
from heat_extras import monkey_patch

EXTENDS = 'heat.common.grouputils'


@monkey_patch.wrap('(group, include_failed=False)',
                   why='scaling groups count their members with this function')
def get_size(original, group, include_failed=False):
    if include_failed:
        return original(group, include_failed=True)
    return mark_table.count_members(group)
