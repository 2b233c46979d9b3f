# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras import left_operations


class RecordTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.addCleanup(left_operations.remove_record, '1')

    def record(self):
        return left_operations.get_record('1')

    def test_only_one_thread_acquires_operation(self):
        self.assertFalse(self.record().is_held)
        self.assertTrue(left_operations.acquire('1'))
        self.assertFalse(left_operations.acquire('1'))
        left_operations.release('1')
        self.assertFalse(self.record().is_held)
        self.assertTrue(left_operations.acquire('1'))

    def test_record_is_kept_until_row_is_deleted(self):
        left_operations.acquire('1')
        self.record().passed = ('a', 'b')
        self.record().failures = ['bad']
        left_operations.release('1')
        left_operations.retain_only({'1'})
        self.assertEqual(('a', 'b'), self.record().passed)
        self.assertEqual(['bad'], self.record().failures)
        left_operations.retain_only(set())
        self.assertEqual((), self.record().passed)
        self.assertIsNone(self.record().failures)

    def test_acquired_record_is_kept(self):
        left_operations.acquire('1')
        left_operations.retain_only(set())
        self.assertTrue(self.record().is_held)

    def test_record_that_is_not_acquired_is_not_kept(self):
        self.record().failures = []
        self.assertIsNone(self.record().failures)
