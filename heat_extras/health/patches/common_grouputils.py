# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.grouputils`: unhealthy members are members.

The size of a group leaves out members that failed. A group without a desired
size would so get rid of a marked member instead of replacing it, and a policy
that takes one away would take a healthy one besides.
"""

import contextlib
import contextvars

from heat.common import grouputils as heat_grouputils
from heat.rpc import api as rpc_api

from heat_extras import patching

EXTENDS = 'heat.common.grouputils'

_is_resizing = contextvars.ContextVar('heat_extras_resizing', default=False)


@contextlib.contextmanager
def resizing():
    """Count unhealthy members while a group works out its new size."""
    token = _is_resizing.set(True)
    try:
        yield
    finally:
        _is_resizing.reset(token)


@patching.wrap('(group, include_failed=False)',
               why='scaling groups ask here how many members they have')
def get_size(original, group, include_failed=False):
    if include_failed or not _is_resizing.get():
        return original(group, include_failed=include_failed)
    inspector = heat_grouputils.GroupInspector.from_parent_resource(group)
    return sum(map(_counts, inspector._get_member_data()))


def _counts(member):
    return (member[rpc_api.RES_STATUS] != 'FAILED'
            or member[rpc_api.RES_ACTION] == 'CHECK')
