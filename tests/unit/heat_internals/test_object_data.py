# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.heat_internals import object_data


class Stack:
    """Replaces Heat's Stack."""


class OfStackTest(testtools.TestCase):
    def test_each_stack_has_separate_data(self):
        first, other = map(object_data.of_stack, (Stack(), Stack()))
        first.lifecycle.is_denied = True
        self.assertFalse(other.lifecycle.is_denied)

    def test_data_are_one_attribute_of_stack(self):
        stack = Stack()
        object_data.of_stack(stack).lifecycle.is_denied = True
        self.assertTrue(object_data.of_stack(stack).lifecycle.is_denied)
        self.assertEqual(['heat_extras'], list(vars(stack)))

    def test_operation_of_lifecycle_is_taken_once(self):
        state = object_data.LifecycleState()
        for name in 'asked', 'allowed', 'in_thread':
            setattr(state, name, 'operation')
            self.assertEqual('operation', state.take(name))
            self.assertIsNone(state.take(name))
