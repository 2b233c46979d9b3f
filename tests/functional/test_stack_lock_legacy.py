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

"""The same promises with Heat's legacy engine, which works under StackLock.

``convergence_engine = false``: no traversals, no compare-and-swap of stacks.
"""

from tests.functional import test_stack_lock

SETTINGS = '[DEFAULT]\nconvergence_engine = false\n'


class LegacyLockTest(test_stack_lock.LockTest):
    settings = SETTINGS


class LegacyRequestTest(test_stack_lock.RequestTest):
    settings = SETTINGS


class LegacyRefusalTest(test_stack_lock.RefusalTest):
    settings = SETTINGS


class LegacySuspendedTest(test_stack_lock.SuspendedTest):
    settings = SETTINGS


class LegacyNestedTest(test_stack_lock.NestedTest):
    settings = SETTINGS
