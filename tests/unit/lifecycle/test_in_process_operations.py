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

    def test_only_one_thread_acquires_operation(self):
        self.assertFalse(self.record().is_held)
        self.assertTrue(in_process_operations.acquire('1'))
        self.assertFalse(in_process_operations.acquire('1'))
        in_process_operations.release('1')
        self.assertFalse(self.record().is_held)
        self.assertTrue(in_process_operations.acquire('1'))

    def test_record_is_kept_until_row_is_deleted(self):
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

    def test_acquired_record_is_kept(self):
        in_process_operations.acquire('1')
        in_process_operations.retain_only(set())
        self.assertTrue(self.record().is_held)

    def test_record_that_is_not_acquired_is_not_kept(self):
        self.record().failures = []
        self.assertIsNone(self.record().failures)


OPERATION = operation_table.Operation(id='1', stack_id='s', action='UPDATE')


class Stack:
    """Replaces Heat's Stack."""


class GetStateTest(testtools.TestCase):
    def test_each_stack_has_separate_state(self):
        first, other = Stack(), Stack()
        in_process_operations.get_state(first).is_denied = True
        self.assertTrue(in_process_operations.get_state(first).is_denied)
        self.assertFalse(in_process_operations.get_state(other).is_denied)

    def test_state_is_one_attribute_of_stack(self):
        stack = Stack()
        in_process_operations.get_state(stack).in_thread = OPERATION
        self.assertEqual(['heat_extras_lifecycle'], list(vars(stack)))


class StateTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.state = in_process_operations.StackState()

    def test_operation_is_taken_once(self):
        for name in 'asked', 'allowed', 'in_thread':
            setattr(self.state, name, OPERATION)
            self.assertIs(OPERATION, self.state.take(name))
            self.assertIsNone(self.state.take(name))
