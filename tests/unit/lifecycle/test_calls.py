# SPDX-License-Identifier: Apache-2.0

import dataclasses
from unittest import mock

import fixtures
import testtools

from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import calls
from heat_extras.lifecycle import hand
from heat_extras.lifecycle import operation as operations
from heat_extras.lifecycle import plugin as plugins
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from tests.unit.lifecycle import test_runner


class Ledger:
    """Stands for the table: one engine, and writes that can fail."""

    def __init__(self):
        self.rows, self.failing, self.is_taken = {}, {}, False

    def _write(self, name):
        if name in self.failing:
            raise self.failing[name]

    def begin(self, context, operation):
        self._write('begin')
        self.rows[operation.id] = operation.phase

    def note_passed(self, context, operation, names):
        self._write('note')
        return not self.is_taken

    def set_running(self, context, operation, traversal):
        self.rows[operation.id] = operations.RUNNING
        self._write('set_running')
        return True

    def claim(self, context, operation, engine_id, is_failure, phase):
        self._write('claim')
        if self.is_taken or self.rows.get(operation.id) != operation.phase:
            return None
        self.rows[operation.id] = phase
        return operation

    def end(self, context, operation_id, engine_id):
        self._write('end')
        self.rows.pop(operation_id, None)


class CallsTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.journal, self.ledger = [], Ledger()
        self.useFixture(fixtures.MockPatchObject(calls, 'ledger',
                                                 self.ledger))
        self.stack = mock.Mock(id='s', owner_id=None)
        self.install(a=None, b=None)

    def install(self, **acts):
        self.useFixture(fixtures.MockPatchObject(
            registry, 'ordered', return_value=[
                plugins.Plugin(name, test_runner.Recorder(
                    name, self.journal, act)) for name, act in acts.items()]))

    def enter(self):
        operation = calls.enter(self.stack, 'UPDATE')
        self.addCleanup(hand.forget, operation.id)
        return operation

    def called(self):
        return [call[:2] for call in self.journal]

    def ask(self, kind):
        """Ask the plugins, which ends in an exception of this class."""
        operation = self.enter()
        self.assertRaises(kind, calls.ask, self.stack, operation)
        return operation


class AskTest(CallsTestCase):
    TOLD = [('pre', 'a'), ('pre', 'b'), ('post', 'a')]

    def test_who_had_passed_is_told_of_a_denial(self):
        self.install(a=None, b=Exception('no'))
        self.ask(runner.Refused)
        self.assertEqual(self.TOLD, self.called())

    def test_who_had_passed_is_told_when_the_row_cannot_be_written(self):
        self.ledger.failing['note'] = OSError()
        self.ask(OSError)
        self.assertEqual([('pre', 'a'), ('post', 'a')], self.called())

    def test_who_had_passed_is_told_when_the_thread_is_being_ended(self):
        join = runner.threading.Thread.join

        def killed(thread, timeout=None):
            join(thread)
            if self.called()[-1] == ('pre', 'b'):
                raise test_runner.Killed()

        self.useFixture(fixtures.MockPatchObject(
            runner.threading.Thread, 'join', killed))
        self.ask(test_runner.Killed)
        self.assertEqual(self.TOLD, self.called())

    def test_who_answered_when_another_engine_has_it_is_told(self):
        # That one can't know of it, and tells nobody of it.
        self.ledger.is_taken = True
        self.ask(calls.Lost)
        self.assertEqual([('pre', 'a'), ('post', 'a')], self.called())

    def test_who_answered_last_is_told_and_once(self):
        # The other one knows of those before, and tells them.
        operation = calls.ask(self.stack, self.enter())
        self.ledger.is_taken = True
        for _twice in range(2):
            self.assertFalse(calls.abort(self.stack, operation))
        self.assertEqual([('post', 'b')], self.called()[2:])

    def test_who_has_it_tells_those_that_are_noted_by_then(self):
        operation = self.enter()
        self.useFixture(fixtures.MockPatchObject(
            self.ledger, 'claim', return_value=dataclasses.replace(
                operation, passed=('b',))))
        self.assertTrue(calls.abort(self.stack, operation))
        self.assertEqual([('post', 'b')], self.called())

    def test_who_could_not_be_told_is_told_later_and_once(self):
        self.install(a=None, b=Exception('no'))
        self.ledger.failing['claim'] = OSError()
        operation = self.ask(OSError)
        del self.ledger.failing['claim']
        for _twice in range(2):
            calls.abort(self.stack, operation)
        self.assertEqual(self.TOLD, self.called())


class PermitTest(CallsTestCase):
    """Somebody waits for the answer."""

    TOLD = [('pre', 'a'), ('pre', 'b'), ('post', 'a')]

    def test_what_all_let_pass_is_begun_when_that_is_wanted(self):
        for is_begun, phase in ((False, operations.PRE),
                                (True, operations.RUNNING)):
            operation = calls.permit(self.stack, 'LOCK', is_begun)
            self.addCleanup(hand.forget, operation.id)
            self.assertEqual((phase, ('a', 'b')),
                             (operation.phase, operation.passed))
            self.assertEqual(phase, self.ledger.rows[operation.id])

    def test_a_denial_is_a_conflict_and_leaves_nothing(self):
        self.install(a=None, b=Exception('no'))
        error = self.assertRaises(lock_callbacks.Denied, calls.permit,
                                  self.stack, 'LOCK', True)
        self.assertIn('LOCK denied by lifecycle plugin b: no. Nothing was '
                      'changed.', str(error))
        self.assertEqual((self.TOLD, {}), (self.called(), self.ledger.rows))

    def test_who_is_only_told_denies_nothing(self):
        self.install(a=Exception('no'), b=None)
        self.useFixture(fixtures.MockPatchObject(calls.public, 'warn'))
        operation = calls.permit(self.stack, 'UNLOCK', True, is_told=True)
        self.addCleanup(hand.forget, operation.id)
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())
        self.assertIn('UNLOCK denied by lifecycle plugin a: no',
                      calls.public.warn.call_args.args[-1])
        self.assertEqual(operations.RUNNING, operation.phase)

    def test_any_other_error_is_told_and_leaves_nothing(self):
        for name, told in (('note', ['a']), ('set_running', ['a', 'b'])):
            self.journal.clear()
            self.ledger.failing = {name: test_runner.Killed()}
            self.assertRaises(test_runner.Killed, calls.permit, self.stack,
                              'LOCK', True)
            self.assertEqual({}, self.ledger.rows)
            self.assertEqual(told, [who for call, who in self.called()
                                    if call == 'post'])


class EndTest(CallsTestCase):

    def start(self):
        operation = self.enter()
        return calls.go(self.stack, calls.ask(self.stack, operation))

    def test_a_thread_that_ends_when_it_has_just_begun_tells(self):
        operation = calls.ask(self.stack, self.enter())
        self.ledger.failing['set_running'] = test_runner.Killed()
        self.assertRaises(test_runner.Killed, calls.go, self.stack,
                          operation)
        self.assertTrue(calls.abort(self.stack, operation))
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called()[2:])

    def test_what_another_engine_has_ended_is_not_begun(self):
        operation = calls.ask(self.stack, self.enter())
        self.useFixture(fixtures.MockPatchObject(
            self.ledger, 'set_running', return_value=False))
        error = self.assertRaises(calls.Lost, calls.go, self.stack,
                                  operation)
        self.assertIn('took this one for dead', str(error))

    def test_who_takes_what_has_begun_tells_all(self):
        operation = self.start()
        self.ledger.is_taken = True
        self.assertFalse(calls.abort(self.stack, operation))
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())

    def test_it_is_held_until_its_row_is_gone(self):
        operation = self.start()
        self.assertTrue(hand.is_held(operation.id))
        calls.finish(self.stack, operation, False)
        calls.end(self.stack, operation)
        self.assertFalse(hand.is_held(operation.id))
        self.assertEqual({}, self.ledger.rows)

    def test_what_cannot_be_ended_is_left_and_not_told_again(self):
        operation = self.start()
        with calls.ending(self.stack, operation):
            self.assertEqual([], calls.finish(self.stack, operation, False))
            self.ledger.failing['end'] = OSError()
        self.assertFalse(hand.is_held(operation.id))
        hand.take(operation.id)
        self.ledger.rows[operation.id] = operations.RUNNING
        calls.finish(self.stack, operation, True)
        self.assertEqual([('pre', 'a'), ('pre', 'b'), ('post', 'a'),
                          ('post', 'b')], self.called())

    def test_what_cannot_be_told_keeps_its_row(self):
        operation = self.start()
        self.ledger.failing['claim'] = OSError()
        with calls.ending(self.stack, operation):
            calls.finish(self.stack, operation, False)
        self.assertIn(operation.id, self.ledger.rows)
        self.assertFalse(hand.is_held(operation.id))

    def test_one_that_cannot_be_noted_is_not_held(self):
        self.ledger.failing['begin'] = OSError()
        self.useFixture(fixtures.MockPatchObject(
            calls.uuidutils, 'generate_uuid', return_value='never'))
        self.addCleanup(hand.forget, 'never')
        self.assertRaises(OSError, calls.enter, self.stack, 'UPDATE')
        self.assertFalse(hand.is_held('never'))
