# SPDX-License-Identifier: Apache-2.0

"""Tests of the stacks of a preview."""

import testtools

from heat_extras.update_plan import previewed


class PreviewedTest(testtools.TestCase):

    def test_nested_collectors_get_same_stacks(self):
        previewed.add_stacks('nothing', 'collects')
        with previewed.collect_stacks() as outer:
            with previewed.collect_stacks() as inner:
                previewed.add_stacks('now', 'then')
            self.assertEqual(['now', 'then'], inner)
            self.assertEqual(['now', 'then'], outer)
        with previewed.collect_stacks() as later:
            self.assertEqual([], later)
