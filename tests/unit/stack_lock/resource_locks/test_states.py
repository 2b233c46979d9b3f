# SPDX-License-Identifier: Apache-2.0

"""What users are told of the ledger's states."""

import testtools

from heat_extras.stack_lock.resource_locks import states


class StatesTest(testtools.TestCase):
    def test_what_is_not_known_is_shown_as_failed(self):
        self.assertEqual(states.FAILED, states.shown(states.LOCKING))
        for state in (states.PROTECTED, states.FOUND, states.NO_API,
                      states.FAILED, None):
            self.assertEqual(state, states.shown(state))

    def test_what_is_not_known_is_lifted_too(self):
        self.assertIn(states.LOCKING, states.OWN)
