# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import operation as operations
from heat_extras.lifecycle import state

OPERATION = operations.Operation(id='1', stack_id='s', action='UPDATE')


class Stack:
    """Stands for one of Heat's."""


class OfTest(testtools.TestCase):
    def test_an_object_keeps_its_own(self):
        one, other = Stack(), Stack()
        state.of(one).is_denied = True
        self.assertTrue(state.of(one).is_denied)
        self.assertFalse(state.of(other).is_denied)

    def test_it_is_one_attribute(self):
        stack = Stack()
        state.of(stack).begin_in_thread(OPERATION, object())
        self.assertEqual(['heat_extras_lifecycle'], list(vars(stack)))


class StateTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.state = state.State()

    def test_an_operation_is_taken_once(self):
        for name in 'beforehand', 'allowed', 'in_thread':
            setattr(self.state, name, OPERATION)
            self.assertIs(OPERATION, self.state.take(name))
            self.assertIsNone(self.state.take(name))

    def test_the_new_stack_is_there_when_the_operation_was_taken(self):
        self.state.begin_in_thread(OPERATION, 'new')
        self.state.take('in_thread')
        self.assertEqual('new', self.state.new_stack)

    def test_what_was_not_stored_yet_is_not_overtaken(self):
        self.state.await_store(OPERATION)
        self.assertFalse(self.state.is_overtaken)

    def test_the_first_store_counts(self):
        for first, later in ((None, 's'), ('s', None)):
            self.state.await_store(OPERATION)
            self.state.note_stored(first)
            self.state.note_stored(later)
            self.assertIs(first is None, self.state.is_overtaken)

    def test_a_store_before_heat_goes_on_does_not(self):
        self.state.note_stored('s')
        self.state.await_store(OPERATION)
        self.state.note_stored(None)
        self.assertTrue(self.state.is_overtaken)

    def test_a_stack_that_is_gone_is_lost_though_it_was_stored(self):
        self.state.await_store(OPERATION)
        self.state.note_stored('s')
        self.state.give_up()
        self.assertTrue(self.state.is_overtaken)
