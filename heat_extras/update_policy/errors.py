# SPDX-License-Identifier: Apache-2.0

"""The errors of what an update policy protects."""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class UpdatePolicyRestricted(heat_exception.ResourceActionRestricted):
    """An act of an update is forbidden by ``update_policy.allow``.

    It is raised where Heat raises its own for ``restricted_actions``, and is
    handled as that is: an event of the resource, whose state stays as it was.
    """

    msg_fmt = '%(message)s'


class NestedStackRestricted(heat_exception.HeatException):
    """A nested stack may not leave the tree of its root (409)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add a class to heat.common.exception."""
    return remote_errors.records(NestedStackRestricted)
