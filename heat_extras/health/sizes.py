# SPDX-License-Identifier: Apache-2.0

"""The sizes of groups: unhealthy members are members.

Heat leaves out members that failed. A group without a desired size would so
get rid of a marked member instead of replacing it, and a policy that takes
one away would take a healthy one besides.
"""

from heat.common import grouputils
from heat.rpc import api as rpc_api


def of(group):
    """Count the members of a group, unhealthy ones too."""
    inspector = grouputils.GroupInspector.from_parent_resource(group)
    return sum(map(_counts, inspector._get_member_data()))


def _counts(member):
    return (member[rpc_api.RES_STATUS] != 'FAILED'
            or member[rpc_api.RES_ACTION] == 'CHECK')
