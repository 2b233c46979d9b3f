# SPDX-License-Identifier: Apache-2.0

"""An engine that continues a lock operation that was reset.

An operator's ``reset-lock`` takes it away here; to another engine, one that
hangs for longer than its heartbeat is dead, which comes to the same.
"""

import time

from tests.functional import lockable_resources
from tests.harness import waiting

_LATE_SECONDS = 3


class SupersededTestCase(lockable_resources.TestCase):
    settings = (lockable_resources.SETTINGS
                + '[heat_extras]\nlock_concurrency = 1\n')

    def setUp(self):
        super().setUp()
        self.id_of_stack = self.path.rpartition('/')[2]

    def take_away(self, status):
        self.assertEqual(
            0, self.manage('reset-lock', self.id_of_stack).returncode)
        self._wait(self.path, status)

    def begin(self, action, verb):
        """Begin a lock or unlock, and come back while it is stuck.

        :returns: a function that lets its first call go on.
        """
        calls = len(self.calls())
        go_on = self.hold_up(verb)
        self.assert_status(200, action())
        self.wait_for_calls(calls + 1)
        self.hurry(verb)
        return go_on

    def rows(self):
        return self.sandbox.sql(
            'SELECT resource_name, state FROM heat_extras_protection '
            'WHERE root_id = ?', self.id_of_stack)

    def assert_comes_to(self, wanted):
        """Come to this state of all doors, and stay there."""
        waiting.until_equal('all doors', {wanted},
                            lambda: set(self.states().values()))
        time.sleep(_LATE_SECONDS)
        self.assertEqual({wanted}, set(self.states().values()))


class SupersededOperationTest(SupersededTestCase):
    doors = {'one': 'Door', 'three': 'Gate', 'two': 'Door'}

    def test_resumed_lock_releases_resource_after_reset_and_unlock(self):
        go_on = self.begin(lambda: self.lock(level='all'), 'lock')
        self.take_away('LOCK_FAILED')
        self._unlocked()
        done = len(self.calls())
        go_on()
        waiting.until('the call to be taken back', self.calls,
                      lambda calls: len(calls) > done)
        self.assert_comes_to('open')
        later = self.calls()[done:]
        self.assertEqual(1, len(later), later)
        self.assertTrue(later[0].startswith('unlock'))
        self.assertEqual([], self.rows())
        self.assertEqual('UNLOCK_COMPLETE', self.events()[-1][1])
        self.assert_status(202, self.update())

    def test_resumed_lock_keeps_protection_of_newer_lock(self):
        go_on = self.begin(lambda: self.lock(level='all'), 'lock')
        self.take_away('LOCK_FAILED')
        self._unlocked()
        self._locked()
        go_on()
        self.assert_comes_to('bolted by heat')
        self.assertEqual({'protected'}, {state for _, state in self.rows()})
        self._unlocked()
        self.assert_comes_to('open')

    def test_resumed_unlock_stops_after_reset(self):
        self._locked()
        go_on = self.begin(self.unlock, 'unlock')
        self.take_away('UNLOCK_FAILED')
        done = len(self.calls())
        go_on()
        time.sleep(_LATE_SECONDS)
        self.assertEqual(done, len(self.calls()))
        self._wait(self.path, 'UNLOCK_FAILED')
        self._unlocked()
        self.assert_comes_to('open')

    def test_resumed_unlock_restores_protection_of_newer_lock(self):
        self._locked()
        go_on = self.begin(self.unlock, 'unlock')
        self.take_away('UNLOCK_FAILED')
        self._unlocked()
        self._locked()
        go_on()
        waiting.until('it to be protected again', self.calls,
                      lambda calls: calls[-1].startswith('lock'))
        self.assert_comes_to('bolted by heat')
        self.assertEqual({'protected'}, {state for _, state in self.rows()})


class ResourceWithoutStatusTest(SupersededTestCase):
    """Resources without a status: only the protection table has it."""

    doors = {'one': 'Gate', 'two': 'Gate'}

    def test_lock_works_after_level_change_was_reset(self):
        self._locked()
        go_on = self.begin(lambda: self.lock(level='stacks'), 'unlock')
        self.take_away('LOCK_FAILED')
        done = len(self.calls())
        go_on()
        waiting.until('it to be released', self.states,
                      lambda states: 'open' in states.values())
        time.sleep(_LATE_SECONDS)
        self.assertEqual(done, len(self.calls()))
        self._locked()
        self.assert_comes_to('bolted by heat')
        self._unlocked()
        self.assert_comes_to('open')
