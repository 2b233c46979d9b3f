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

"""Extends :mod:`heat.engine.service`: what dead engines left behind."""

from heat_extras.lifecycle import recovery
from heat_extras import patching


class LifecycleServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @patching.wrap('(self)', why='the one thing that an engine does '
                                 'regularly, whatever it works on')
    def service_manage_report(self, original):
        result = original()
        recovery.recover(self)
        return result
