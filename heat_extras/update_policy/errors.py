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
