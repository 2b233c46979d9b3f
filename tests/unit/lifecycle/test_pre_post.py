# SPDX-License-Identifier: Apache-2.0

import dataclasses
from unittest import mock

import fixtures
import testtools

from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras.operations import in_process
from tests.unit.lifecycle import test_runner


class Table:
    """Replaces the table: one engine, and writes that can fail."""

    Operation = operation_table.Operation
    ABORT, RUNNING, POST = (operation_table.ABORT, operation_table.RUNNING,
                            operation_table.POST)

    def __init__(self):
        self.rows, self.failing, self.is_taken = {}, {}, False

    def _write(self, name):
        if name in self.failing:
            raise self.failing[name]

    def insert_row(self, context, operation):
        self._write('insert')
        self.rows[operation.id] = operation.phase

    def set_passed(self, context, operation, names):
        self._write('set_passed')
        return not self.is_taken

    def set_running(self, context, operation, traversal):
        self.rows[operation.id] = operation_table.RUNNING
        self._write('set_running')
        return True

    def take_over(self, context, operation, engine_id, is_failure, phase):
        self._write('take_over')
        if self.is_taken or self.rows.get(operation.id) != operation.phase:
            return None
        self.rows[operation.id] = phase
        return operation

    def delete_row(self, context, operation, engine_id):
        self._write('delete')
        self.rows.pop(operation.id, None)


class CallsTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.journal, self.table = [], Table()
        self.useFixture(fixtures.MockPatchObject(pre_post, 'operation_table',
                                                 self.table))
        self.stack = mock.Mock(id='s', owner_id=None)
        self.install(a=None, b=None)

    def install(self, **acts):
        self.useFixture(fixtures.MockPatchObject(
            registry, 'list_plugins', return_value=[
                registry.Plugin(name, test_runner.Recorder(
                    name, self.journal, act)) for name, act in acts.items()]))

    def create(self):
        operation = pre_post.create_operation(self.stack, 'UPDATE')
        self.addCleanup(in_process.remove_record, operation.id)
        return operation

    def called(self):
        return [call[:2] for call in self.journal]

    def ask(self, kind):
        """Call the plugins, which raises an exception of this class."""
        operation = self.create()
        self.assertRaises(kind, pre_post.run_pre_calls, self.stack, operation)
        return operation


class PreCallsTest(CallsTestCase):
    TOLD = [('pre', 'a'), ('pre', 'b'), ('post', 'a')]

    def test_passed_plugins_are_notified_of_denial(self):
        self.install(a=None, b=Exception('no'))
        self.ask(runner.ActionDenied)
        self.assertEqual(self.TOLD, self.called())

    def test_passed_plugins_are_notified_if_row_cannot_be_saved(self):
        self.table.failing['set_passed'] = OSError()
        self.ask(OSError)
        self.assertEqual([('pre', 'a'), ('post', 'a')], self.called())

    def test_passed_plugins_are_notified_if_thread_is_stopped(self):
        join = runner.threading.Thread.join

        def killed(thread, timeout=None):
            join(thread)
            if self.called()[-1] == ('pre', 'b'):
                raise test_runner.Killed()

        self.useFixture(fixtures.MockPatchObject(
            runner.threading.Thread, 'join', killed))
        self.ask(test_runner.Killed)
        self.assertEqual(self.TOLD, self.called())

    def test_plugin_is_notified_if_another_engine_took_over(self):
        # The other engine cannot know of this plugin and does not notify it.
        self.table.is_taken = True
        self.ask(pre_post.TakenOver)
        self.assertEqual([('pre', 'a'), ('post', 'a')], self.called())

    def test_all_plugins_are_notified_once_after_takeover(self):
        # The other engine might not know of the plugins that answered last.
        operation = pre_post.run_pre_calls(self.stack, self.create())
        self.table.is_taken = True
        for _twice in range(2):
            self.assertFalse(pre_post.abort_operation(self.stack, operation))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called()[2:])

    def test_abort_notifies_plugins_that_table_lists(self):
        operation = self.create()
        self.useFixture(fixtures.MockPatchObject(
            self.table, 'take_over', return_value=dataclasses.replace(
                operation, passed=('b',))))
        self.assertTrue(pre_post.abort_operation(self.stack, operation))
        self.assertEqual([('post', 'b')], self.called())

    def test_failed_notification_is_repeated_once(self):
        self.install(a=None, b=Exception('no'))
        self.table.failing['take_over'] = OSError()
        operation = self.ask(OSError)
        del self.table.failing['take_over']
        for _twice in range(2):
            pre_post.abort_operation(self.stack, operation)
        self.assertEqual(self.TOLD, self.called())


class DenialMessageTest(CallsTestCase):
    """What the message of a denial states about the stack."""

    def refuse(self, action='UPDATE', overrides=None):
        self.install(a=Exception('no'))
        operation = pre_post.create_operation(self.stack, action)
        self.addCleanup(in_process.remove_record, operation.id)
        return str(self.assertRaises(
            runner.ActionDenied, pre_post.run_pre_calls, self.stack, operation,
            overrides=overrides))

    def test_denial_states_what_was_changed(self):
        self.assertIn('no. Nothing was deleted.', self.refuse('DELETE'))
        self.assertIn('no. Nothing was changed.', self.refuse())
        self.assertIn(
            'no. The CHECK that was in progress is stopped. Nothing else was '
            'changed.', self.refuse(
                overrides={'status': 'IN_PROGRESS', 'action': 'CHECK'}))

    def test_denial_names_nested_stack(self):
        self.stack.owner_id, self.stack.name = 'o', 'web'
        self.assertIn('Nothing of stack web was changed.', self.refuse())


class PostCallsTest(CallsTestCase):

    def start(self):
        operation = pre_post.run_pre_calls(self.stack, self.create())
        return pre_post.mark_running(self.stack, operation)

    def test_thread_stopped_at_start_runs_post_calls(self):
        operation = pre_post.run_pre_calls(self.stack, self.create())
        self.table.failing['set_running'] = test_runner.Killed()
        self.assertRaises(test_runner.Killed, pre_post.mark_running,
                          self.stack,
                          operation)
        self.assertTrue(pre_post.abort_operation(self.stack, operation))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called()[2:])

    def test_operation_ended_by_another_engine_is_not_started(self):
        operation = pre_post.run_pre_calls(self.stack, self.create())
        self.useFixture(fixtures.MockPatchObject(
            self.table, 'set_running', return_value=False))
        error = self.assertRaises(pre_post.TakenOver, pre_post.mark_running,
                                  self.stack,
                                  operation)
        self.assertIn('considered this engine down', str(error))

    def test_running_operation_taken_over_runs_no_post_calls(self):
        operation = self.start()
        self.table.is_taken = True
        self.assertFalse(pre_post.abort_operation(self.stack, operation))
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())

    def test_operation_is_acquired_until_row_is_deleted(self):
        operation = self.start()
        self.assertTrue(in_process.get_record(operation.id).is_held)
        pre_post.run_post_calls(self.stack, operation, False)
        pre_post.delete_row(self.stack, operation)
        self.assertFalse(
            in_process.get_record(operation.id).is_held)
        self.assertEqual({}, self.table.rows)

    def test_post_calls_are_not_repeated_if_row_cannot_be_deleted(self):
        operation = self.start()
        with pre_post.always_delete_row(self.stack, operation):
            self.assertEqual([], pre_post.run_post_calls(self.stack,
                                                         operation, False))
            self.table.failing['delete'] = OSError()
        self.assertFalse(
            in_process.get_record(operation.id).is_held)
        in_process.acquire(operation.id)
        self.table.rows[operation.id] = operation_table.RUNNING
        pre_post.run_post_calls(self.stack, operation, True)
        self.assertEqual([('pre', 'a'), ('pre', 'b'), ('post', 'a'),
                          ('post', 'b')], self.called())

    def test_row_is_kept_if_post_calls_cannot_start(self):
        operation = self.start()
        self.table.failing['take_over'] = OSError()
        with pre_post.always_delete_row(self.stack, operation):
            pre_post.run_post_calls(self.stack, operation, False)
        self.assertIn(operation.id, self.table.rows)
        self.assertFalse(
            in_process.get_record(operation.id).is_held)

    def test_operation_is_released_if_row_cannot_be_inserted(self):
        self.table.failing['insert'] = OSError()
        self.useFixture(fixtures.MockPatchObject(
            pre_post.uuidutils, 'generate_uuid', return_value='never'))
        self.addCleanup(in_process.remove_record, 'never')
        self.assertRaises(OSError, pre_post.create_operation, self.stack,
                          'UPDATE')
        self.assertFalse(in_process.get_record('never').is_held)
