# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.grouputils`: unhealthy members are members."""

from heat_extras.health import sizes
from heat_extras.host import resizing
from heat_extras import patching

EXTENDS = 'heat.common.grouputils'


@patching.wrap('(group, include_failed=False)',
               why='scaling groups ask here how many members they have')
def get_size(original, group, include_failed=False):
    if include_failed or not resizing.is_under_way():
        return original(group, include_failed=include_failed)
    return sizes.of(group)
