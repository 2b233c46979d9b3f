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


"""The same promises with Heat's legacy engine.

``convergence_engine = false``: a restore looks at the snapshot in a thread,
and a rollback is an update like any other.
"""

from tests.functional import test_parameters
from tests.functional import test_parameters_nested

LEGACY = '\n[DEFAULT]\nconvergence_engine = false\n'


class LegacyOperationTest(test_parameters.OperationTest):
    settings = test_parameters.OperationTest.settings + LEGACY


class LegacyNestedTest(test_parameters_nested.NestedTest):
    settings = test_parameters_nested.NestedTest.settings + LEGACY
