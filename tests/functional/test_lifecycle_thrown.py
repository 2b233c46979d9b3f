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

"""Whatever a plugin raises, it is an error of that plugin alone."""

from tests.functional import lifecycle
from tests.functional import lifecycle_thrown


class ConvergenceTest(lifecycle_thrown.Thrown):
    thrown = (lifecycle_thrown.THROWN
              + (lifecycle_thrown.GREEN if lifecycle.has_green_threads()
                 else ()))


class LegacyTest(lifecycle_thrown.Thrown):
    settings = '[DEFAULT]\n' + lifecycle.LEGACY


class NoTimeoutTest(lifecycle_thrown.Thrown):
    """A call without a timeout is on its own, too."""

    settings = '[heat_extras]\nlifecycle_timeout = 0\n'
    thrown = lifecycle_thrown.THROWN[:1]
