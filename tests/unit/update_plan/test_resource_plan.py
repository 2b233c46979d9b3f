# SPDX-License-Identifier: Apache-2.0

"""Tests of how the effects of an update are worked out."""

import testtools

from heat_extras.update_plan import change
from heat_extras.update_plan import resource_plan


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


class _Forecast(resource_plan.ResourcePlan):
    """Effects that are told, and not worked out."""

    def __init__(self, level, told=None):
        super().__init__(level)
        self._told = told or {}
        self.order = []

    def _decide(self, name):
        self.order.append(name)
        found = self._told.get(name, resource_plan.UNCHANGED)
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
        self.assertNotEqual(change.UNCHANGED, found.kind)

    def test_what_refers_to_a_change_may_change(self):
        for kind, is_attribute, wanted in (
                (change.UNCHANGED, True, False), (change.UPDATE, True, True),
                (change.UPDATE, False, False), (change.REPLACE, False, True)):
            found = _Forecast(_Level(2), {0: change.Change(kind)})
            found.of(1)
            self.assertEqual(wanted, found._may_change(0, is_attribute))

    def test_what_refers_to_a_new_resource_may_change(self):
        found = _Forecast(_Level(2, new=[0]))
        found.of(1)
        self.assertTrue(found._may_change(0, is_attribute=False))
