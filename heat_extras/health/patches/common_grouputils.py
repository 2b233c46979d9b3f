# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
