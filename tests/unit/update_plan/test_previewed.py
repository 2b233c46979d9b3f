# SPDX-License-Identifier: Apache-2.0

"""Tests of the stacks of a preview."""

import testtools

from heat_extras.update_plan import previewed


class PreviewedTest(testtools.TestCase):

    def test_all_who_collect_see_the_same(self):
        previewed.add('nothing', 'collects')
        with previewed.collect() as outer:
            with previewed.collect() as inner:
                previewed.add('now', 'then')
            self.assertEqual(['now', 'then'], inner)
            self.assertEqual(['now', 'then'], outer)
        with previewed.collect() as later:
            self.assertEqual([], later)
