# SPDX-License-Identifier: Apache-2.0

"""Tests of how the effects of an update are worked out."""

import testtools

from heat_extras.host import effect
from heat_extras.host import forecast


class _Level:
    """A stack in which each resource refers to the one before it."""

    def __init__(self, count, new=()):
        self.new_names = set(range(count))
        self._new = set(new)

    def exists(self, name):
        return name in self.new_names and name not in self._new

    def requirements(self, name):
        before = {name - 1} & self.new_names
        return before, set()


class _Forecast(forecast.Forecast):
    """Effects that are told, and not worked out."""

    def __init__(self, level, told=None):
        super().__init__(level)
        self._told = told or {}
        self.order = []

    def _decide(self, name):
        self.order.append(name)
        found = self._told.get(name, forecast.KEEP)
        if isinstance(found, Exception):
            raise found
        return found


class ForecastTest(testtools.TestCase):

    def test_references_come_first_each_once_however_long_the_chain(self):
        found = _Forecast(_Level(5000))
        found.of(4999)
        found.of(10)
        self.assertEqual(list(range(5000)), found.order)

    def test_what_cannot_be_worked_out_is_not_certain(self):
        found = _Forecast(_Level(1), {0: ValueError('why')}).of(0)
        self.assertFalse(found.is_certain)
        self.assertNotEqual(effect.KEEP, found.kind)

    def test_what_refers_to_a_change_may_change(self):
        for kind, is_attribute, wanted in (
                (effect.KEEP, True, False), (effect.CHANGE, True, True),
                (effect.CHANGE, False, False), (effect.RECREATE, False, True)):
            found = _Forecast(_Level(2), {0: effect.Effect(kind)})
            found.of(1)
            self.assertEqual(wanted, found._may_change(0, is_attribute))

    def test_what_refers_to_a_new_resource_may_change(self):
        found = _Forecast(_Level(2, new=[0]))
        found.of(1)
        self.assertTrue(found._may_change(0, is_attribute=False))
