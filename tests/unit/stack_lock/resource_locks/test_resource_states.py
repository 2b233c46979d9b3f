# SPDX-License-Identifier: Apache-2.0

"""The states in the protection table, as users see them."""

import testtools

from heat_extras.stack_lock.resource_locks import resource_states


class ProtectionStatesTest(testtools.TestCase):
    def test_locking_state_is_shown_as_failed(self):
        self.assertEqual(resource_states.FAILED,
                         resource_states.shown(resource_states.LOCKING))
        for state in (resource_states.PROTECTED, resource_states.FOUND,
                      resource_states.NO_API, resource_states.FAILED,
                      None):
            self.assertEqual(state, resource_states.shown(state))

    def test_locking_state_is_own_state(self):
        self.assertIn(resource_states.LOCKING, resource_states.OWN)
