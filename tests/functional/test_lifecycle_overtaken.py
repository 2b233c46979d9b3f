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

"""Whatever ends an operation, the plugins are told, and told once."""

from tests.functional import lifecycle
from tests.functional import lifecycle_overtaken


class ConvergenceTest(lifecycle_overtaken.Deletes,
                      lifecycle_overtaken.Abandons):
    settings = lifecycle.ABANDON


class LegacyTest(lifecycle_overtaken.Deletes, lifecycle_overtaken.Kills):
    # How long the legacy engine waits for a thread is this and ten seconds.
    settings = lifecycle.ABANDON + 'error_wait_time = 1\n' + lifecycle.LEGACY
