# SPDX-License-Identifier: Apache-2.0

"""The states of the table of protections, as users see them."""

import testtools

from heat_extras.stack_lock.resource_locks import protection_states


class StatesTest(testtools.TestCase):
    def test_what_is_not_known_is_shown_as_failed(self):
        self.assertEqual(protection_states.FAILED,
                         protection_states.shown(protection_states.LOCKING))
        for state in (protection_states.PROTECTED, protection_states.FOUND,
                      protection_states.NO_API, protection_states.FAILED,
                      None):
            self.assertEqual(state, protection_states.shown(state))

    def test_what_is_not_known_is_lifted_too(self):
        self.assertIn(protection_states.LOCKING, protection_states.OWN)
