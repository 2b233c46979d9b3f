# SPDX-License-Identifier: Apache-2.0

import os
from unittest import mock

import fixtures

from heat_extras.freeze import frozen
from heat_extras.freeze import guards
from heat_extras.freeze import in_force
from heat_extras.freeze import standing
from tests.unit.freeze import test_frozen
from tests.unit.freeze import test_in_force


class WindowsTest(test_frozen.FrozenTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.useFixture(fixtures.TempDir()).join('freezes.yaml')
        self.write(test_in_force.text('one'))
        self.mock('freeze.in_force._holders',
                  new=[in_force.Holder(self.path)])
        self.useFixture(fixtures.FakeLogger())
        self.count = self.mock('freeze.standing.counting.count')

    def write(self, content):
        with open(self.path + '.new', 'w') as target:
            target.write(content)
        os.rename(self.path + '.new', self.path)

    def names(self):
        return [each.name for each in standing.windows(self.context)]

    def test_a_file_with_errors_is_counted_once_when_it_is_found(self):
        self.names()
        self.count.assert_not_called()
        for text in 'freezes: soon', 'freezes: late':
            self.count.reset_mock()
            self.write(text)
            for _ in range(3):
                self.assertEqual(['one'], self.names())
            self.count.assert_called_once_with('', 'freezes file', 'unusable',
                                               self.context)

    def test_by_an_operation_and_by_whoever_lists_guards(self):
        stack = mock.Mock(at=None)
        for ask in (
                lambda: frozen.check(self.context, 'signal', 'p1', 'web'),
                lambda: guards.list_guards(self.context, stack)):
            self.write('freezes: ' + 'x' * self.getUniqueInteger())
            ask()
            self.count.assert_called_once()
            self.count.reset_mock()

    def test_without_a_file(self):
        self.mock('freeze.in_force._holders', new=[])
        self.assertEqual([], self.names())
