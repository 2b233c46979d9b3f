# SPDX-License-Identifier: Apache-2.0

"""The end of operations that end in the thread that began them."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import runner


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


class LegacyEngineTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.stack = _Stack()
        self.failures = []
        self.finish = self.useFixture(fixtures.MockPatchObject(
            legacy_engine, 'run_post_calls',
            side_effect=lambda *args: self.failures)).mock

    def state(self):
        return in_process_operations.get_state(self.stack)


class EndTest(LegacyEngineTestCase):
    def end(self, status='COMPLETE'):
        return legacy_engine.write_final_state(
            self.stack, self.stack.state_set, 'SUSPEND', status, 'why')

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
        self.state().is_deleting = True
        self.assertRaises(legacy_engine.PluginFailedAfterDelete, self.end)
        self.assertEqual([('SUSPEND', 'FAILED', 'one')], self.stack.steps)


class EndUpdateTest(LegacyEngineTestCase):
    def update(self, error=None):
        def task():
            yield
            if error is not None:
                raise error
        stack_update = mock.Mock(existing_stack=self.stack)
        stack_update.new_stack.t = 'new'
        return list(legacy_engine.run_update_task(stack_update, task()))

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


class BeginForHeatTest(LegacyEngineTestCase):
    def setUp(self):
        super().setUp()
        self.begin = self.useFixture(fixtures.MockPatchObject(
            legacy_engine, 'start_operation')).mock

    def begin_it(self):
        try:
            legacy_engine.start_at_pre_ops(self.stack, 'UPDATE', None)
        except Exception as error:
            return type(error), error.args
        return None

    def test_what_is_asked_already_is_not_asked_again(self):
        self.state().in_thread = 'operation'
        self.assertIsNone(self.begin_it())
        self.begin.assert_not_called()

    def test_heat_gets_a_plain_exception_with_the_text(self):
        self.begin.side_effect = runner.ActionDenied('no')
        self.assertEqual((Exception, ('no',)), self.begin_it())

    def test_an_error_is_told_without_what_it_says(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        kind, (text,) = self.begin_it()
        self.assertIs(Exception, kind)
        self.assertNotIn('secret', text)


class DeleteTest(LegacyEngineTestCase):
    def setUp(self):
        super().setUp()
        self.begin = self.useFixture(fixtures.MockPatchObject(
            legacy_engine, 'start_operation')).mock
        self.superseded = self.useFixture(fixtures.MockPatchObject(
            legacy_engine.convergence, 'end_superseded')).mock
        self.delete = mock.Mock(side_effect=self._delete)

    def _delete(self):
        self.assertTrue(self.state().is_deleting)
        return 'gone'

    def run_it(self, action='DELETE'):
        return legacy_engine.delete_stack(self.stack, self.delete, action,
                                          'notify')

    def test_all_is_well(self):
        self.assertEqual('gone', self.run_it())
        self.begin.assert_called_once_with(self.stack, 'DELETE')
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(self.state().is_deleting)
        self.assertEqual('notify',
                         self.state().notify)

    def test_a_denied_one_is_failed_and_nothing_is_deleted(self):
        self.begin.side_effect = runner.ActionDenied('no')
        self.assertIsNone(self.run_it())
        self.assertEqual([('DELETE', 'FAILED', 'no')], self.stack.steps)
        self.delete.assert_not_called()

    def test_so_is_one_whose_plugins_cannot_be_called(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        self.assertRaises(ValueError, self.run_it)
        (action, status, reason), = self.stack.steps
        self.assertEqual(('DELETE', 'FAILED'), (action, status))
        self.assertNotIn('secret', reason)
        self.delete.assert_not_called()

    def test_a_stack_that_a_plugin_keeps(self):
        self.delete.side_effect = legacy_engine.PluginFailedAfterDelete
        self.assertIsNone(self.run_it())
        self.assertFalse(self.state().is_deleting)

    def test_an_error_of_heat_ends_it_too(self):
        self.delete.side_effect = KeyError
        self.assertRaises(KeyError, self.run_it)
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(self.state().is_deleting)

    def test_nothing_was_created_nothing_is_rolled_back(self):
        self.state().is_denied = True
        self.assertIsNone(self.run_it('ROLLBACK'))
        self.begin.assert_not_called()
        self.delete.assert_not_called()
        self.run_it()
        self.delete.assert_called_once_with()

    def test_convergence_tells_of_what_is_stopped(self):
        self.run_it()
        self.superseded.assert_not_called()
        self.stack.convergence = True
        self.run_it()
        self.superseded.assert_called_once_with(self.stack, 'now')
