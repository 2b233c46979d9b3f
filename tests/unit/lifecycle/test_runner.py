# SPDX-License-Identifier: Apache-2.0

import asyncio
import threading
from unittest import mock

import fixtures
from heat.common import exception
import sqlalchemy
import testtools

from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner


class Recorder:
    """A plugin that records its calls and raises or calls something."""

    def __init__(self, name, journal, pre=None, post=None):
        self.name, self.journal = name, journal
        self.acts = {'pre': pre, 'post': post}

    def do_pre_op(self, *arguments):
        self.note('pre', arguments)

    def do_post_op(self, *arguments):
        self.note('post', arguments)

    def note(self, call, arguments):
        self.journal.append((call, self.name, *arguments))
        if isinstance(self.acts[call], BaseException):
            raise self.acts[call]
        if self.acts[call]:
            self.acts[call]()


THROWN = (SystemExit, KeyboardInterrupt, GeneratorExit, BaseException,
          asyncio.CancelledError)


class Killed(BaseException):
    """Replaces the GreenletExit of ThreadGroupManager.stop."""


class PostOnly:
    def __init__(self, journal):
        self.journal = journal

    def do_post_op(self, *arguments):
        self.journal.append(('post', 'late', *arguments))


class RunnerTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.journal, self.counted = [], []
        self.call = runner.Call(
            'UPDATE', lambda name: ('c', 's', 'n'), about='stack web (id)',
            count=lambda *labels: self.counted.append(labels),
            untouched='Nothing was changed.')

    def plugin(self, name, pre=None, post=None, **settings):
        return registry.Plugin(
            name, Recorder(name, self.journal, pre, post), **settings)

    def called(self):
        return [call[:2] for call in self.journal]

    def kill(self):
        """End the thread of the caller while it waits for a plugin, once."""
        join = threading.Thread.join

        def killed(thread, timeout=None):
            join(thread)
            patched.stop()
            raise Killed()

        patched = mock.patch.object(runner.threading.Thread, 'join', killed)
        patched.start()


class PreCallsTest(RunnerTestCase):

    def test_plugins_receive_arguments_of_heat(self):
        runner.run_pre_ops([self.plugin('a')], self.call)
        runner.run_post_ops([self.plugin('a')], self.call, ['a'], True)
        self.assertEqual([('pre', 'a', 'c', 's', 'n', 'UPDATE'),
                          ('post', 'a', 'c', 's', 'n', 'UPDATE', True)],
                         self.journal)

    def test_passed_plugins_are_saved_before_next_call(self):
        noted = []
        names = runner.run_pre_ops(
            [self.plugin('a'), self.plugin('b')], self.call, noted.append)
        self.assertEqual([['a']], noted)
        self.assertEqual(['a', 'b'], names)

    def test_no_plugin_is_called_after_denial(self):
        error = self.assertRaises(
            runner.ActionDenied, runner.run_pre_ops,
            [self.plugin('a', Exception('no')), self.plugin('b')], self.call)
        self.assertEqual('UPDATE denied by lifecycle plugin a: no. Nothing '
                         'was changed.', str(error))
        self.assertEqual([('pre', 'a')], self.called())

    def test_denial_in_warn_mode_continues(self):
        warnings = []
        runner.run_pre_ops([
            self.plugin('a', Exception('no'), mode=options.WARN),
            self.plugin('b')
        ], self.call, warn=warnings.append)
        self.assertEqual(['UPDATE denied by lifecycle plugin a: no'],
                         warnings)
        self.assertEqual([('pre', 'a'), ('pre', 'b')], self.called())

    def test_error_of_plugin_denies_action(self):
        error = self.assertRaises(runner.ActionDenied, runner.run_pre_ops,
                                  [self.plugin('a', KeyError('x'))], self.call)
        self.assertEqual("Lifecycle plugin a failed before UPDATE: "
                         "KeyError: 'x'. Nothing was changed. Try again "
                         'later, or ask the operator of this Heat.',
                         str(error))

    def test_error_is_allowed_if_configured(self):
        for error, passes in ((KeyError('x'), True), (Exception('x'), False)):
            ordered = [self.plugin('a', error, on_error=options.ALLOW)]
            if passes:
                self.assertEqual(['a'], runner.run_pre_ops(ordered, self.call))
            else:
                self.assertRaises(runner.ActionDenied, runner.run_pre_ops,
                                  ordered, self.call)

    def test_error_detail_is_one_line_in_log_only(self):
        logged = self.useFixture(fixtures.FakeLogger(level=0))
        error = plugin_api.Unavailable('no connection', 'POST https://opa\n')
        error = self.assertRaises(runner.ActionDenied, runner.run_pre_ops,
                                  [self.plugin('a', error)], self.call)
        self.assertEqual(
            'Lifecycle plugin a failed before UPDATE: no connection. Nothing '
            'was changed. Try again later, or ask the operator of this Heat.',
            str(error))
        self.assertEqual(
            'Lifecycle plugin a failed before UPDATE: no connection; stack '
            'web (id); POST https://opa\\n\n', logged.output)

    def test_denials_errors_and_timeouts_are_counted(self):
        for error in (Exception('no'), KeyError('x'),
                      runner.TimedOut('late')):
            self.assertRaises(runner.ActionDenied, runner.run_pre_ops,
                              [self.plugin('a', error)], self.call)
        runner.run_pre_ops([
            self.plugin('b', KeyError('x'), on_error=options.ALLOW),
            self.plugin('c', Exception('no'), mode=options.WARN)
        ], self.call)
        runner.run_post_ops([self.plugin('d', post=KeyError('x'))], self.call,
                            ['d'], False)
        self.assertEqual([
            ('denied', 'a'), ('plugin error', 'a'), ('plugin timeout', 'a'),
            ('plugin error', 'b'), ('denied', 'c'), ('plugin error', 'd')],
            self.counted)

    def test_plugin_is_called_for_its_actions_only(self):
        for name, actions, judged in (('asked', {'UPDATE'}, None),
                                      ('other', {'DELETE'}, None),
                                      ('told', None, {'DELETE'}),
                                      ('both', {'UPDATE'}, {'UPDATE'})):
            ordered = [self.plugin(name, actions=actions, judged=judged)]
            passed = runner.run_pre_ops(ordered, self.call)
            runner.run_post_ops(ordered, self.call, passed, True,
                                is_unwinding=True)
            runner.run_post_ops(ordered, self.call, passed, False)
        self.assertEqual([
            ('pre', 'asked'), ('post', 'asked'), ('post', 'asked'),
            ('post', 'told'),
            ('pre', 'both'), ('post', 'both'), ('post', 'both')],
            self.called())

    def test_timeout_limits_wait_for_plugin(self):
        stop = threading.Event()
        self.addCleanup(stop.set)
        error = self.assertRaises(
            runner.ActionDenied, runner.run_pre_ops,
            [self.plugin('a', lambda: stop.wait(60), timeout=1)], self.call)
        self.assertIn('no answer within 1 s', str(error))

    def test_denial_at_end_of_timeout_is_denial(self):
        stop = threading.Event()

        def deny():
            stop.wait(60)
            raise Exception('late')

        class Thread(threading.Thread):
            def join(self, timeout=None):
                if timeout is None:
                    super().join()

            def is_alive(self):
                stop.set()
                super().join()
                return False
        with mock.patch.object(runner.threading, 'Thread', Thread):
            error = self.assertRaises(
                runner.ActionDenied, runner.run_pre_ops,
                [self.plugin('a', deny, timeout=1)], self.call)
        self.assertIn('denied by lifecycle plugin a: late', str(error))

    def test_base_exception_of_plugin_is_error(self):
        for kind in THROWN:
            for timeout in 0, 60:
                error = self.assertRaises(
                    runner.ActionDenied, runner.run_pre_ops,
                    [self.plugin('a', kind(), timeout=timeout)], self.call)
                self.assertIn(f'failed before UPDATE: {kind.__name__}: ',
                              str(error))

    def test_stop_of_calling_thread_is_raised(self):
        noted = []
        self.kill()
        self.assertRaises(Killed, runner.run_pre_ops,
                          [self.plugin('a'), self.plugin('b')], self.call,
                          noted.append)
        self.assertEqual([('pre', 'a')], self.called())
        self.assertEqual([], noted)

    def test_failed_thread_start_denies_action(self):
        with mock.patch.object(runner.threading.Thread, 'start',
                               side_effect=RuntimeError('no more')):
            error = self.assertRaises(runner.ActionDenied, runner.run_pre_ops,
                                      [self.plugin('a')], self.call)
        self.assertIn('RuntimeError: no more', str(error))


class PostCallsTest(RunnerTestCase):

    def test_all_plugins_are_notified_despite_failures(self):
        failures = runner.run_post_ops(
            [self.plugin('a', post=Exception('bad')), self.plugin('b')],
            self.call, ['a', 'b'], False)
        self.assertEqual(['Lifecycle plugin a failed after UPDATE: bad'],
                         failures)
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called())

    def test_all_plugins_are_notified_despite_base_exceptions(self):
        for kind in THROWN:
            message, = runner.run_post_ops(
                [self.plugin('a', post=kind('x')), self.plugin('b')],
                self.call, ['a', 'b'], False)
            self.assertEqual('Lifecycle plugin a failed after UPDATE: '
                             f'{kind.__name__}: x', message)
        self.assertEqual([('post', 'a'), ('post', 'b')] * len(THROWN),
                         self.called())

    def test_all_plugins_are_notified_if_calling_thread_stops(self):
        self.kill()
        self.assertRaises(Killed, runner.run_post_ops,
                          [self.plugin('a'), self.plugin('b')],
                          self.call, ['a', 'b'], False)
        self.assertEqual([('post', 'a'), ('post', 'b')], self.called())

    def test_only_passed_and_post_only_plugins_are_notified(self):
        late = registry.Plugin('late', PostOnly(self.journal))
        ordered = [self.plugin('a'), self.plugin('b'), late]
        runner.run_post_ops(ordered, self.call, ['a'], True)
        self.assertEqual([('post', 'a'), ('post', 'late')], self.called())

    def test_unwinding_notifies_only_passed_plugins(self):
        late = registry.Plugin('late', PostOnly(self.journal))
        runner.run_post_ops([self.plugin('a'), late], self.call, ['a'], True,
                            is_unwinding=True)
        self.assertEqual([('post', 'a')], self.called())

    def test_failures_are_ignored_in_warn_or_allow_mode(self):
        for settings, error in (({'mode': options.WARN}, Exception('x')),
                                ({'on_error': options.ALLOW}, KeyError('x'))):
            self.assertEqual([], runner.run_post_ops(
                [self.plugin('a', post=error, **settings)], self.call, ['a'],
                False))


class DenialTest(testtools.TestCase):

    def test_denial_exceptions_are_recognized(self):
        for error in (plugin_api.Denied('no'), Exception('no'),
                      exception.StackValidationFailed(message='no')):
            self.assertTrue(runner.is_denial(error), error)
            self.assertEqual('no', runner.user_message(error))

    def test_other_exceptions_are_errors(self):
        for error in (KeyError('x'), ConnectionError('x'), SystemExit('x')):
            self.assertFalse(runner.is_denial(error), error)
        self.assertEqual('ConnectionError: x',
                         runner.user_message(ConnectionError('x')))

    def test_exception_with_failing_str_has_message(self):
        class Silent(Exception):
            def __str__(self):
                raise SystemExit()

        self.assertEqual('Silent: the reason cannot be shown',
                         runner.user_message(Silent()))

    def test_database_error_is_not_shown(self):
        message = runner.user_message(sqlalchemy.exc.OperationalError(
            'SELECT 1', {}, Exception('gone away')))
        self.assertIn('OperationalError: an unexpected error', message)
        self.assertNotIn('SELECT', message)
        self.assertNotIn('gone away', message)
