# SPDX-License-Identifier: Apache-2.0

"""The description of the signals to a stack that a lock has ignored."""

import types

import testtools

from heat_extras.stack_lock import ignored_signals


class DescribeTest(testtools.TestCase):

    def describe(self, *counts):
        return ignored_signals.describe(
            [types.SimpleNamespace(resource_name=name, stack_id='1',
                                   count=count)
             for name, count in zip('abcde', counts, strict=False)],
            lambda stack_id: 'web')

    def test_no_description_without_ignored_signals(self):
        self.assertIsNone(self.describe())

    def test_description_counts_signals_per_resource(self):
        self.assertEqual(
            '7 signals were ignored while the stack was locked '
            '(a of stack web: 4, b of stack web: 3)', self.describe(4, 3))

    def test_description_names_three_resources_and_counts_others(self):
        self.assertEqual(
            '9 signals were ignored while the stack was locked (a of stack '
            'web: 4, b of stack web: 2, c of stack web: 1, and 2 more '
            'resources)', self.describe(4, 2, 1, 1, 1))
