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


"""The error of a resource that an update policy protects.

It is raised where Heat raises its own for ``restricted_actions``, and is
handled as that is: an event of the resource, whose state stays as it was.
"""

from heat.common import exception as heat_exception


class UpdatePolicyRestricted(heat_exception.ResourceActionRestricted):
    """An act of an update is forbidden by ``update_policy.allow``."""

    msg_fmt = '%(message)s'
