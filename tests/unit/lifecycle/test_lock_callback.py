# SPDX-License-Identifier: Apache-2.0

"""Plugins are called before a lock, an unlock, or a deletion."""

import fixtures

from heat_extras.heat_internals import lock_callbacks
from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import plugin_api
from heat_extras.operations import in_process
from tests.unit.lifecycle import test_pre_post
from tests.unit.lifecycle import test_runner


class LockCallbackTestCase(test_pre_post.CallsTestCase):
    TOLD = [('pre', 'a'), ('pre', 'b'), ('post', 'a')]

    def setUp(self):
        super().setUp()
        self.stack.DELETE = 'DELETE'
        self.useFixture(fixtures.MockPatchObject(
            lock_callback.heat_stack.Stack, 'load',
            return_value=self.stack))
        self.addCleanup(in_process.retain_only, set())

    def ask_callback(self, action):
        return lock_callback.run_pre_calls(None, self.stack, action)


class LockTest(LockCallbackTestCase):

    def test_allowed_lock_is_running_until_end(self):
        for is_failure in (False, True):
            self.journal.clear()
            end = self.ask_callback('LOCK')
            self.assertEqual([operation_table.RUNNING],
                             list(self.table.rows.values()))
            end(is_failure)
            self.assertEqual({}, self.table.rows)
            self.assertEqual([('pre', 'a'), ('pre', 'b'), ('post', 'a'),
                              ('post', 'b')], self.called())

    def test_denied_lock_is_rejected_and_row_is_deleted(self):
        self.install(a=None, b=Exception('no'))
        error = self.assertRaises(lock_callbacks.Denied, self.ask_callback,
                                  'LOCK')
        self.assertIn('LOCK denied by lifecycle plugin b: no. Nothing was '
                      'changed.', str(error))
        self.assertEqual((self.TOLD, {}), (self.called(), self.table.rows))

    def test_denial_at_lock_expiration_is_warning(self):
        self.install(a=Exception('no'), b=None)
        warn = self.useFixture(fixtures.MockPatchObject(
            plugin_api, 'warn')).mock
        self.ask_callback(lock_callbacks.EXPIRY)
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())
        self.assertIn('UNLOCK denied by lifecycle plugin a: no',
                      warn.call_args.args[-1])
        self.assertEqual([operation_table.RUNNING],
                         list(self.table.rows.values()))

    def test_other_error_runs_post_calls_and_row_is_deleted(self):
        for name, names in (('set_passed', ['a']), ('set_running', ['a',
                                                                    'b'])):
            self.journal.clear()
            self.table.failing = {name: test_runner.Killed()}
            self.assertRaises(test_runner.Killed, self.ask_callback, 'LOCK')
            self.assertEqual({}, self.table.rows)
            self.assertEqual(names, [who for call, who in self.called()
                                     if call == 'post'])


class DeletionTest(LockCallbackTestCase):
    """A deletion that has to unlock its stack first."""

    def asked(self):
        return object_data.of_stack(self.stack).lifecycle.take('asked')

    def test_allowed_deletion_is_taken_once(self):
        end = self.ask_callback('DELETE')
        end(False)
        operation = self.asked()
        self.assertEqual((operation_table.PRE, ('a', 'b')),
                         (operation.phase, operation.passed))
        self.assertEqual({operation.id: operation_table.PRE},
                         self.table.rows)
        self.assertIsNone(self.asked())
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())

    def test_deletion_rejected_later_runs_post_calls(self):
        self.ask_callback('DELETE')(True)
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called()[2:])
        self.assertIsNone(self.asked())
        self.assertEqual({}, self.table.rows)

    def test_taken_deletion_does_not_run_post_calls(self):
        end = self.ask_callback('DELETE')
        self.asked()
        end(True)
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())

    def test_denied_deletion_is_rejected(self):
        self.install(a=None, b=Exception('no'))
        self.assertRaises(lock_callbacks.Denied, self.ask_callback, 'DELETE')
        self.assertEqual((self.TOLD, {}), (self.called(), self.table.rows))
        self.assertIsNone(self.asked())
