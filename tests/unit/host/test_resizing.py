# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.host import resizing


class ResizingTest(testtools.TestCase):
    def test_it_is_over_when_it_is_over(self):
        self.assertFalse(resizing.is_under_way())
        with resizing.under_way():
            self.assertTrue(resizing.is_under_way())
        self.assertFalse(resizing.is_under_way())
