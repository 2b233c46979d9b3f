# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.health import limit


class LimitTest(testtools.TestCase):
    def test_without_a_limit_everything_goes(self):
        self.assertFalse(limit.is_exceeded(10, 10, None))

    def test_the_mark_itself_counts(self):
        for unhealthy, total, percent, wanted in (
                (0, 1, 100, False), (0, 1, 99, True), (0, 2, 50, False),
                (1, 2, 50, True), (0, 3, 33, True), (0, 3, 34, False),
                (2, 10, 30, False), (3, 10, 30, True), (0, 5, 0, True)):
            self.assertIs(wanted,
                          limit.is_exceeded(unhealthy, total, percent))
