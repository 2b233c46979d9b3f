# SPDX-License-Identifier: Apache-2.0

"""The errors of operations that an update policy forbids."""

from heat.common import exception as heat_exception

from heat_extras import exception


class UpdatePolicyRestricted(heat_exception.ResourceActionRestricted):
    """An act of an update is forbidden by ``update_policy.allow``.

    It is raised where Heat raises its own for ``restricted_actions``, and is
    handled as that is: an event of the resource, whose state stays as it was.
    """

    msg_fmt = '%(message)s'


class NestedStackRestricted(exception.Conflict):
    """A nested stack may not leave the tree of its root."""
