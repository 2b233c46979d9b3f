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

"""Extends :mod:`heat.engine.resources.openstack.heat.instance_group`."""

from heat_extras.health.patches import common_grouputils
from heat_extras import patching


class HealthInstanceGroupMixin:
    """Extends InstanceGroup."""

    @patching.wrap('(self, json_snippet, tmpl_diff, prop_diff)',
                   why='without a size of its own it keeps as many members '
                       'as are healthy')
    def handle_update(self, original, *args, **kwargs):
        with common_grouputils.resizing():
            return original(*args, **kwargs)
