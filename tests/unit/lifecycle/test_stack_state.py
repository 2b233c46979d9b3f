# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import stack_state


OPERATION = operation_table.Operation(id='1', stack_id='s', action='UPDATE')


class Stack:
    """Replaces Heat's Stack."""


class GetStateTest(testtools.TestCase):
    def test_each_stack_has_separate_state(self):
        first, other = Stack(), Stack()
        stack_state.get_state(first).is_denied = True
        self.assertTrue(stack_state.get_state(first).is_denied)
        self.assertFalse(stack_state.get_state(other).is_denied)

    def test_state_is_one_attribute_of_stack(self):
        stack = Stack()
        stack_state.get_state(stack).in_thread = OPERATION
        self.assertEqual(['heat_extras'], list(vars(stack)))


class StateTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.state = stack_state.StackState()

    def test_operation_is_taken_once(self):
        for name in 'asked', 'allowed', 'in_thread':
            setattr(self.state, name, OPERATION)
            self.assertIs(OPERATION, self.state.take(name))
            self.assertIsNone(self.state.take(name))
