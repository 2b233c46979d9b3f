# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import hand
from heat_extras.lifecycle import operation as operations


class HandTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.addCleanup(hand.forget, '1')
        self.operation = operations.Operation(
            id='1', stack_id='s', action='UPDATE', passed=('a',))

    def test_one_thread_at_a_time(self):
        self.assertFalse(hand.is_held('1'))
        self.assertTrue(hand.take('1'))
        self.assertFalse(hand.take('1'))
        hand.leave('1')
        self.assertFalse(hand.is_held('1'))
        self.assertTrue(hand.take('1'))

    def test_what_is_known_stays_until_the_row_is_gone(self):
        hand.take('1')
        hand.note_passed('1', ['a', 'b'])
        hand.note_told('1', ['bad'])
        hand.leave('1')
        hand.keep({'1'})
        self.assertEqual(('a', 'b'), hand.passed(self.operation))
        self.assertEqual(['bad'], hand.told('1'))
        hand.keep(set())
        self.assertEqual(('a',), hand.passed(self.operation))
        self.assertIsNone(hand.told('1'))

    def test_what_the_database_does_not_know_of(self):
        hand.take('1')
        hand.note_passed('1', ['a'])
        self.assertEqual(('a',), hand.unnoted('1'))
        hand.note_noted('1', ['a'])
        hand.note_passed('1', ['a', 'b'])
        self.assertEqual(('b',), hand.unnoted('1'))
        hand.forget('1')
        self.assertEqual((), hand.unnoted('1'))

    def test_what_a_thread_has_is_kept(self):
        hand.take('1')
        hand.keep(set())
        self.assertTrue(hand.is_held('1'))

    def test_nothing_is_noted_of_others(self):
        hand.note_told('1', [])
        self.assertIsNone(hand.told('1'))
