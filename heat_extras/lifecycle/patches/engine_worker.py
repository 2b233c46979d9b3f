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

"""Extends :mod:`heat.engine.worker`: operations that are cancelled."""

from heat_extras.lifecycle import calls
from heat_extras.lifecycle import traversal
from heat_extras import patching


@patching.wrap('(stack)', why='it gives the stack another traversal before '
                              'it marks it as FAILED')
def _stop_traversal(original, stack):
    stopped = stack.current_traversal
    result = original(stack)
    if calls.are_wanted() and stack.status == stack.FAILED:
        traversal.tell_superseded(stack, stopped)
    return result


class LifecycleWorkerServiceMixin:
    """Extends heat.engine.worker:WorkerService."""

    @patching.wrap('(self)', why='the first moment when the engine has its '
                                 'id, before it serves')
    def start(self, original):
        calls.start_engine(self.engine_id)
        return original()
