# SPDX-License-Identifier: Apache-2.0

"""Operations that end in the thread in which they started."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import runner


class _Stack:
    """The used part of Heat's Stack, which records the changes of state."""

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
        return object_data.of_stack(self.stack).lifecycle


class WriteFinalStateTest(LegacyEngineTestCase):
    def end(self, status='COMPLETE'):
        return legacy_engine.write_final_state(
            self.stack, self.stack.state_set, 'SUSPEND', status, 'why')

    def test_final_state_is_stored_after_post_calls(self):
        self.assertTrue(self.end())
        self.assertEqual([('SUSPEND', 'COMPLETE', 'why')], self.stack.steps)
        self.finish.assert_called_once_with(self.stack, False)

    def test_failed_post_calls_fail_operation(self):
        self.failures = ['one', 'two']
        self.end()
        self.assertEqual([('SUSPEND', 'FAILED', 'one; two')],
                         self.stack.steps)

    def test_failure_of_heat_keeps_its_reason(self):
        self.failures = ['one']
        self.end('FAILED')
        self.assertEqual([('SUSPEND', 'FAILED', 'why')], self.stack.steps)

    def test_failed_post_call_stops_stack_deletion(self):
        self.failures = ['one']
        self.state().is_deleting = True
        self.assertRaises(legacy_engine.PluginFailedAfterDelete, self.end)
        self.assertEqual([('SUSPEND', 'FAILED', 'one')], self.stack.steps)


class RunUpdateTaskTest(LegacyEngineTestCase):
    def update(self, error=None):
        def task():
            yield
            if error is not None:
                raise error
        stack_update = mock.Mock(existing_stack=self.stack)
        stack_update.new_stack.t = 'new'
        return list(legacy_engine.run_update_task(stack_update, task()))

    def test_post_calls_receive_new_template(self):
        self.update()
        self.finish.assert_called_once_with(self.stack, False, {'t': 'new'})

    def test_post_calls_are_notified_of_failure(self):
        for error in (ValueError(), KeyboardInterrupt()):
            self.assertRaises(type(error), self.update, error)
            self.finish.assert_called_with(self.stack, True)

    def test_failed_post_call_fails_update(self):
        self.failures = ['one']
        self.assertRaises(exception.ResourceFailure, self.update)
        self.assertEqual([('UPDATE', 'FAILED', 'one')], self.stack.steps)


class StartAtPreOpsTest(LegacyEngineTestCase):
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

    def test_started_operation_is_not_started_again(self):
        self.state().in_thread = 'operation'
        self.assertIsNone(self.begin_it())
        self.begin.assert_not_called()

    def test_denial_is_raised_as_plain_exception_with_message(self):
        self.begin.side_effect = runner.ActionDenied('no')
        self.assertEqual((Exception, ('no',)), self.begin_it())

    def test_error_is_raised_without_its_message(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        kind, (text,) = self.begin_it()
        self.assertIs(Exception, kind)
        self.assertNotIn('secret', text)


class DeleteStackTest(LegacyEngineTestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(
            legacy_engine.pre_post, 'has_plugins', return_value=True))
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
                                          False, 'notify')

    def test_delete_runs_pre_and_post_calls(self):
        self.assertEqual('gone', self.run_it())
        self.begin.assert_called_once_with(self.stack, 'DELETE')
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(self.state().is_deleting)
        self.assertEqual('notify',
                         self.state().notify)

    def test_denied_delete_fails_and_stack_is_kept(self):
        self.begin.side_effect = runner.ActionDenied('no')
        self.assertIsNone(self.run_it())
        self.assertEqual([('DELETE', 'FAILED', 'no')], self.stack.steps)
        self.delete.assert_not_called()

    def test_error_in_pre_calls_fails_delete(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        self.assertRaises(ValueError, self.run_it)
        (action, status, reason), = self.stack.steps
        self.assertEqual(('DELETE', 'FAILED'), (action, status))
        self.assertNotIn('secret', reason)
        self.delete.assert_not_called()

    def test_failed_post_call_keeps_stack(self):
        self.delete.side_effect = legacy_engine.PluginFailedAfterDelete
        self.assertIsNone(self.run_it())
        self.assertFalse(self.state().is_deleting)

    def test_error_of_heat_runs_post_calls(self):
        self.delete.side_effect = KeyError
        self.assertRaises(KeyError, self.run_it)
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(self.state().is_deleting)

    def test_denied_creation_is_not_rolled_back(self):
        self.state().is_denied = True
        self.assertIsNone(self.run_it('ROLLBACK'))
        self.begin.assert_not_called()
        self.delete.assert_not_called()
        self.run_it()
        self.delete.assert_called_once_with()

    def test_convergence_ends_superseded_operation(self):
        self.run_it()
        self.superseded.assert_not_called()
        self.stack.convergence = True
        self.run_it()
        self.superseded.assert_called_once_with(self.stack, 'now')
