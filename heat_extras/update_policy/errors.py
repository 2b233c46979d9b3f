# SPDX-License-Identifier: Apache-2.0

"""The errors of operations that an update policy forbids."""

from heat.common import exception as heat_exception

from heat_extras import exception


class UpdatePolicyRestricted(heat_exception.ResourceActionRestricted):
    """``update_policy.allow`` forbids an act of an update.

    Heat handles it like its own error for ``restricted_actions``: the resource
    gets an event, and its state does not change.
    """

    msg_fmt = '%(message)s'


class NestedStackRestricted(exception.Conflict):
    """A nested stack cannot be removed from the tree of its root."""
