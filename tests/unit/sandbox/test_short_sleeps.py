# SPDX-License-Identifier: Apache-2.0

import sys
import time
from unittest import mock

import fixtures
from heat.engine import scheduler
from heat.engine import stack
import testtools

from heat_extras.sandbox import short_sleeps

_SLEEPER = 'time' if hasattr(stack, 'time') else 'eventlet'


class ShortSleepsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name in short_sleeps.MODULES:
            module = sys.modules.get(name)
            for sleeper in short_sleeps.SLEEPERS:
                if hasattr(module, sleeper):
                    self.useFixture(fixtures.MonkeyPatch(
                        f'{name}.{sleeper}', getattr(module, sleeper)))

    def _sleep(self, module):
        """Return the sleep calls for a sleep of four seconds."""
        with mock.patch(f'{_SLEEPER}.sleep') as sleep:
            getattr(module, _SLEEPER).sleep(4)
        return sleep.mock_calls

    def test_sleeps_are_unchanged_with_divisor_one(self):
        before = getattr(stack, _SLEEPER)
        short_sleeps.divide_sleeps(1)
        self.assertIs(before, getattr(stack, _SLEEPER))

    def test_sleeps_of_heat_are_divided(self):
        short_sleeps.divide_sleeps(20)
        for module in (scheduler, stack):
            self.assertEqual([mock.call(0.2)], self._sleep(module))

    def test_sleeps_are_not_divided_below_minimum(self):
        short_sleeps.divide_sleeps(20)
        with mock.patch(f'{_SLEEPER}.sleep') as sleep:
            for seconds in 0.05, 0.001, 0:
                getattr(stack, _SLEEPER).sleep(seconds)
        self.assertEqual([mock.call(0.01), mock.call(0.001), mock.call(0)],
                         sleep.mock_calls)

    def test_sleeps_of_other_modules_are_unchanged(self):
        short_sleeps.divide_sleeps(20)
        with mock.patch('time.sleep') as sleep:
            time.sleep(4)
        sleep.assert_called_once_with(4)

    def test_other_attributes_of_module_are_available(self):
        original = getattr(stack, _SLEEPER)
        short_sleeps.divide_sleeps(20)
        name = {'time': 'monotonic', 'eventlet': 'spawn'}[_SLEEPER]
        self.assertIs(getattr(original, name),
                      getattr(getattr(stack, _SLEEPER), name))
