# SPDX-License-Identifier: Apache-2.0

"""The end of operations that end in the thread that began them."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.lifecycle import in_thread
from heat_extras.lifecycle import runner
from heat_extras.lifecycle import state


class _Stack:
    """As much of Heat's Stack as is asked; what is done to it is noted."""

    ROLLBACK, UPDATE = 'ROLLBACK', 'UPDATE'
    COMPLETE, FAILED = 'COMPLETE', 'FAILED'
    convergence, current_traversal = False, 'now'

    def __init__(self):
        self.steps = []

    def state_set(self, *arguments):
        self.steps.append(arguments)
        return True

    _add_event = state_set


class InThreadTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.stack = _Stack()
        self.failures = []
        self.finish = self.useFixture(fixtures.MockPatchObject(
            in_thread, 'finish',
            side_effect=lambda *args: self.failures)).mock


class EndTest(InThreadTestCase):
    def end(self, status='COMPLETE'):
        return in_thread.end(self.stack, self.stack.state_set, 'SUSPEND',
                             status, 'why')

    def test_all_is_well(self):
        self.assertTrue(self.end())
        self.assertEqual([('SUSPEND', 'COMPLETE', 'why')], self.stack.steps)
        self.finish.assert_called_once_with(self.stack, False)

    def test_a_plugin_that_fails_after_it_is_the_reason(self):
        self.failures = ['one', 'two']
        self.end()
        self.assertEqual([('SUSPEND', 'FAILED', 'one; two')],
                         self.stack.steps)

    def test_a_failure_of_heat_keeps_its_own(self):
        self.failures = ['one']
        self.end('FAILED')
        self.assertEqual([('SUSPEND', 'FAILED', 'why')], self.stack.steps)

    def test_what_was_to_be_deleted_is_kept(self):
        self.failures = ['one']
        state.of(self.stack).is_deleting = True
        self.assertRaises(in_thread.DeletionKept, self.end)
        self.assertEqual([('SUSPEND', 'FAILED', 'one')], self.stack.steps)


class EndUpdateTest(InThreadTestCase):
    def update(self, error=None):
        def task():
            yield
            if error is not None:
                raise error
        found = mock.Mock(existing_stack=self.stack)
        found.new_stack.t = 'new'
        return list(in_thread.end_update(found, task()))

    def test_plugins_see_the_new_template(self):
        self.update()
        self.finish.assert_called_once_with(self.stack, False, {'t': 'new'})

    def test_they_are_told_of_a_failure(self):
        for error in (ValueError(), KeyboardInterrupt()):
            self.assertRaises(type(error), self.update, error)
            self.finish.assert_called_with(self.stack, True)

    def test_one_that_fails_then_makes_heat_roll_back(self):
        self.failures = ['one']
        self.assertRaises(exception.ResourceFailure, self.update)
        self.assertEqual([('UPDATE', 'FAILED', 'one')], self.stack.steps)


class BeginForHeatTest(InThreadTestCase):
    def setUp(self):
        super().setUp()
        self.begin = self.useFixture(fixtures.MockPatchObject(
            in_thread, 'begin')).mock

    def begin_it(self):
        try:
            in_thread.begin_for_heat(self.stack, 'UPDATE', None)
        except Exception as error:
            return type(error), error.args
        return None

    def test_what_is_asked_already_is_not_asked_again(self):
        state.of(self.stack).in_thread = 'operation'
        self.assertIsNone(self.begin_it())
        self.begin.assert_not_called()

    def test_heat_gets_a_plain_exception_with_the_text(self):
        self.begin.side_effect = runner.Refused('no')
        self.assertEqual((Exception, ('no',)), self.begin_it())

    def test_an_error_is_told_without_what_it_says(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        kind, (text,) = self.begin_it()
        self.assertIs(Exception, kind)
        self.assertNotIn('secret', text)
