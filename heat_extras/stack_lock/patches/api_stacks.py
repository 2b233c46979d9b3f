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

"""Extends :mod:`heat.api.openstack.v1.stacks`: locks in a detailed list."""

from heat_extras import patching
from heat_extras.stack_lock.patches import api_stacks_view


class StackLockStackControllerMixin:
    """Extends heat.api.openstack.v1.stacks:StackController."""

    @patching.wrap('(self, req)',
                   why='it makes the bodies itself, not as other lists')
    def detail(self, original, req, *args, **kwargs):
        # What the signature hides: the policy decorator takes the project.
        return api_stacks_view.complete(original(req, *args, **kwargs))
