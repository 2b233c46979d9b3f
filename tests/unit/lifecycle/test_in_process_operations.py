# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import operation_table


class RecordTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.addCleanup(in_process_operations.remove_record, '1')

    def record(self):
        return in_process_operations.get_record('1')

    def test_one_thread_at_a_time(self):
        self.assertFalse(self.record().is_held)
        self.assertTrue(in_process_operations.acquire('1'))
        self.assertFalse(in_process_operations.acquire('1'))
        in_process_operations.release('1')
        self.assertFalse(self.record().is_held)
        self.assertTrue(in_process_operations.acquire('1'))

    def test_what_is_known_stays_until_the_row_is_gone(self):
        in_process_operations.acquire('1')
        self.record().passed = ('a', 'b')
        self.record().failures = ['bad']
        in_process_operations.release('1')
        in_process_operations.retain_only({'1'})
        self.assertEqual(('a', 'b'), self.record().passed)
        self.assertEqual(['bad'], self.record().failures)
        in_process_operations.retain_only(set())
        self.assertEqual((), self.record().passed)
        self.assertIsNone(self.record().failures)

    def test_what_a_thread_has_is_kept(self):
        in_process_operations.acquire('1')
        in_process_operations.retain_only(set())
        self.assertTrue(self.record().is_held)

    def test_nothing_is_noted_of_others(self):
        self.record().failures = []
        self.assertIsNone(self.record().failures)


OPERATION = operation_table.Operation(id='1', stack_id='s', action='UPDATE')


class Stack:
    """Stands for one of Heat's."""


class OfTest(testtools.TestCase):
    def test_an_object_keeps_its_own(self):
        first, other = Stack(), Stack()
        in_process_operations.get_state(first).is_denied = True
        self.assertTrue(in_process_operations.get_state(first).is_denied)
        self.assertFalse(in_process_operations.get_state(other).is_denied)

    def test_it_is_one_attribute(self):
        stack = Stack()
        in_process_operations.get_state(stack).in_thread = OPERATION
        self.assertEqual(['heat_extras_lifecycle'], list(vars(stack)))


class StateTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.state = in_process_operations.StackState()

    def test_an_operation_is_taken_once(self):
        for name in 'asked', 'allowed', 'in_thread':
            setattr(self.state, name, OPERATION)
            self.assertIs(OPERATION, self.state.take(name))
            self.assertIsNone(self.state.take(name))
