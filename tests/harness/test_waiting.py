# SPDX-License-Identifier: Apache-2.0

import itertools
import time
from unittest import mock

import testtools

from tests.harness import waiting


class WaitingTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.now = 0
        self.pauses = []
        for name, replacement in (('monotonic', lambda: self.now),
                                  ('sleep', self.sleep)):
            patcher = mock.patch.object(time, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds

    def test_until_returns_value(self):
        answers = iter([None, [], ['it']])
        self.assertEqual(['it'], waiting.until('it', lambda: next(answers)))

    def test_is_right_decides(self):
        numbers = itertools.count()
        self.assertEqual(3, waiting.until(
            'three', lambda: next(numbers), lambda number: number == 3))

    def test_pauses_start_short_and_grow(self):
        numbers = itertools.count()
        waiting.until('fifty', lambda: next(numbers) == 50)
        self.assertEqual(waiting.SHORTEST, self.pauses[0])
        self.assertEqual(sorted(self.pauses), self.pauses)
        self.assertEqual(waiting.LONGEST, self.pauses[-1])

    def test_longest_limits_first_pause(self):
        numbers = itertools.count()
        waiting.until('five', lambda: next(numbers) == 5, longest=0.002)
        self.assertEqual({0.002}, set(self.pauses))

    def test_timeout_error_has_description_and_last_value(self):
        error = self.assertRaises(
            AssertionError, waiting.until, 'the door to open',
            lambda: {'door': 'shut'}, lambda value: False, 5)
        self.assertEqual('Waited 5 seconds for the door to open, found last: '
                         "{'door': 'shut'}", str(error))
        self.assertGreater(self.now, 5)

    def looks(self, took):
        count = 0

        def look():
            nonlocal count
            count += 1
            self.now += took
        waiting.last(look, bool, 5)
        return count

    def test_slow_queries_are_repeated_as_often(self):
        self.assertLessEqual(self.looks(0) / 2, self.looks(0.5))

    def test_number_of_very_slow_queries_is_limited(self):
        self.assertEqual(2, self.looks(30))

    def test_last_value_is_formatted_and_shortened(self):
        error = self.assertRaises(
            waiting.TooLate, waiting.until, 'it', lambda: 0,
            tell=lambda value: 'x' * 3000)
        self.assertTrue(str(error).endswith(' ... (3000 characters)'))

    def test_error_of_until_equal_has_expected_and_last_value(self):
        error = self.assertRaises(
            waiting.TooLate, waiting.until_equal, 'the lock', 'all',
            lambda: None)
        self.assertIn("for the lock to be 'all', found last: None",
                      str(error))

    def test_last_returns_last_value_after_timeout(self):
        numbers = itertools.count()
        self.assertEqual(2, waiting.last(
            lambda: next(numbers), lambda number: number == 2))
        self.assertEqual('shut', waiting.last(
            lambda: 'shut', lambda value: False, 5))

    def test_exception_is_raised_immediately(self):
        self.assertRaises(ZeroDivisionError, waiting.until, 'it',
                          lambda: 1 / 0)
        self.assertEqual([], self.pauses)
