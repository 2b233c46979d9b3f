# SPDX-License-Identifier: Apache-2.0

"""What lock and unlock do in each state, row by row."""

import testtools

from heat_extras.stack_lock import states

OTHERS = ('update', 'suspend', 'resume', 'check', 'snapshot', 'abandon')


class StatesTest(testtools.TestCase):
    def _assert_allowed(self, state, is_locked, allowed):
        for operation in (states.LOCK, states.UNLOCK, states.DELETE,
                          *OTHERS):
            self.assertEqual(
                operation in allowed,
                states.allows(state, is_locked, operation),
                f'{operation} in {state}')

    def test_nothing_while_in_progress(self):
        self._assert_allowed((states.LOCK, states.IN_PROGRESS), True, ())
        self._assert_allowed((states.UNLOCK, states.IN_PROGRESS), True, ())

    def test_lock_complete(self):
        self._assert_allowed((states.LOCK, states.COMPLETE), True,
                             (states.LOCK, states.UNLOCK))

    def test_lock_failed(self):
        self._assert_allowed((states.LOCK, states.FAILED), True,
                             (states.LOCK, states.UNLOCK, states.DELETE))

    def test_unlock_failed(self):
        self._assert_allowed((states.UNLOCK, states.FAILED), True,
                             (states.UNLOCK, states.DELETE))

    def test_everything_but_unlock_when_not_locked(self):
        for state in ((None, None), (states.UNLOCK, states.COMPLETE)):
            self._assert_allowed(state, False,
                                 (states.LOCK, states.DELETE, *OTHERS))

    def test_a_level_without_a_known_state_is_locked(self):
        for state in ((None, None), ('LOCK', None), ('odd', 'odd')):
            self._assert_allowed(state, True, (states.LOCK, states.UNLOCK))
