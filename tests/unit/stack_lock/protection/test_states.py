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

"""What users are told of the ledger's states."""

import testtools

from heat_extras.stack_lock.protection import states


class StatesTest(testtools.TestCase):
    def test_what_is_not_known_is_shown_as_failed(self):
        self.assertEqual(states.FAILED, states.shown(states.LOCKING))
        for state in (states.PROTECTED, states.FOUND, states.NO_API,
                      states.FAILED, None):
            self.assertEqual(state, states.shown(state))

    def test_what_is_not_known_is_lifted_too(self):
        self.assertIn(states.LOCKING, states.OURS)
