# SPDX-License-Identifier: Apache-2.0

"""The states in the protection table, as users see them."""

import testtools

from heat_extras.stack_lock.resource_locks import protection_states


class ProtectionStatesTest(testtools.TestCase):
    def test_locking_state_is_shown_as_failed(self):
        self.assertEqual(protection_states.FAILED,
                         protection_states.shown(protection_states.LOCKING))
        for state in (protection_states.PROTECTED, protection_states.FOUND,
                      protection_states.NO_API, protection_states.FAILED,
                      None):
            self.assertEqual(state, protection_states.shown(state))

    def test_locking_state_is_own_state(self):
        self.assertIn(protection_states.LOCKING, protection_states.OWN)
