# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.update_plan import group_size_context


class ResizingTest(testtools.TestCase):
    def test_it_is_over_when_it_is_over(self):
        self.assertFalse(group_size_context.is_under_way())
        with group_size_context.under_way():
            self.assertTrue(group_size_context.is_under_way())
        self.assertFalse(group_size_context.is_under_way())
