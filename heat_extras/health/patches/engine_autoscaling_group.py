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

"""Extends :mod:`heat.engine.resources.aws.autoscaling.autoscaling_group`.

OS::Heat::AutoScalingGroup inherits both methods.
"""

from heat_extras.health.patches import common_grouputils
from heat_extras import patching


class HealthScalingGroupMixin:
    """Extends AutoScalingGroup."""

    @patching.wrap('(self, json_snippet, tmpl_diff, prop_diff)',
                   why='without a desired size it keeps as many members as '
                       'are healthy')
    def handle_update(self, original, *args, **kwargs):
        with common_grouputils.resizing():
            return original(*args, **kwargs)

    @patching.wrap("(self, adjustment, adjustment_type='ChangeInCapacity', "
                   'min_adjustment_step=None, cooldown=None)',
                   why='it counts from the healthy members, and removes one '
                       'of them besides the unhealthy')
    def adjust(self, original, *args, **kwargs):
        with common_grouputils.resizing():
            return original(*args, **kwargs)
