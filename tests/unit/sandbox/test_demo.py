# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import sys
import tempfile
import types

import testtools

from heat_extras.sandbox import demo
from heat_extras.sandbox import demo_steps
from heat_extras.sandbox import liveness
from heat_extras.sandbox import process


class Shell:
    """A terminal in which only one script can be typed."""

    def __init__(self, script):
        self.command = [sys.executable, '-c', script]

    def type(self, words, project):
        return demo._answer(self.command, {})


class TakeTest(testtools.TestCase):
    """Steps with a command that stands in for the client."""

    def _take(self, script, **expectations):
        step = demo_steps.Step('story', (), **expectations)
        fault, _text = demo.take(step, Shell(script))
        return fault

    def test_answer_is_judged(self):
        self.assertIsNone(self._take('print("locked")', says=('locked',)))
        self.assertIsNotNone(self._take('print("free")', says=('locked',)))

    def test_errors_belong_to_the_answer(self):
        self.assertIsNone(self._take(
            'import sys; sys.exit("is locked")', succeeds=False,
            says=('is locked',)))

    def test_waiting_gives_up_in_the_end(self):
        self.patch(demo, 'STEP_SECONDS', 2)
        self.assertIsNotNone(
            self._take('print(1)', says=('2',), waits=True))

    def test_waiting_ends_when_it_is_there(self):
        place = self.enterContext(tempfile.TemporaryDirectory())
        # It fails the first time only.
        self.assertIsNone(self._take(
            f'import os; there = os.path.exists({place + "/it"!r})\n'
            f'os.makedirs({place + "/it"!r}, exist_ok=True)\n'
            'raise SystemExit(not there)', waits=True))

    def test_a_slow_step_shows_that_it_waits(self):
        self.patch(demo, '_DELAY', 0)
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self._take('print(1)', says=('1',))
        self.assertEqual('  Waiting for Heat ...\n', errors.getvalue())

    def test_watching_finds_nothing(self):
        self.assertIsNone(self._take('print(1)', says=('1',), settles=1))

    def test_complaints_about_other_plugins_are_left_out(self):
        _status, text = demo._answer(
            [sys.executable, '-c', 'print("Could not load x"); print(1)'],
            {})
        self.assertEqual('1\n', text)


class TerminalTest(testtools.TestCase):

    def terminal(self, status):
        return demo.Terminal(sys.executable, types.SimpleNamespace(
            url='http://127.0.0.1:1/v1/demo', status=status,
            failure=process.SandboxProcess().failure))

    def test_the_end_of_heat_is_told_at_once(self):
        self.assertEqual((0, '1\n'),
                         self.terminal(None).type(['-c', 'print(1)']))
        error = self.assertRaises(process.NotReady, self.terminal(-9).type,
                                  ['-c', 'print(1)'])
        self.assertIn('ended with status -9', str(error))

    def test_another_project_is_in_the_url(self):
        _status, text = self.terminal(None).type(
            ['-c', 'import os; print(os.environ["OS_ENDPOINT"])'],
            'accounting')
        self.assertEqual('http://127.0.0.1:1/v1/accounting\n', text)

    def test_a_client_that_is_stuck_is_not_waited_for(self):
        self.patch(liveness.Liveness.__init__, '__defaults__', ((), 0.5, 60))
        error = self.assertRaises(
            process.NotReady, self.terminal(None).type,
            ['-c', 'import time; time.sleep(60)'])
        self.assertIn("time.sleep(60)' did not end: it did not use",
                      str(error))


class StartTest(testtools.TestCase):

    def test_the_last_step_is_shown(self):
        line = types.SimpleNamespace(text='Starting Heat')
        errors = self.enterContext(tempfile.TemporaryFile('w+'))
        for text, shown in (
                ('', 'Starting Heat'),
                ('Starting Heat: importing ...', 'importing'),
                ('listens on 127.0.0.1 only', 'importing'),
                ('Starting Heat: importing, 3 s so far', 'importing'),
                ('Starting Heat: creating the database ...',
                 'creating the database')):
            if text:
                print(f'heat-extras-sandbox: {text}', file=errors, flush=True)
            demo._show_start(line, errors)
            self.assertTrue(line.text.endswith(shown), line.text)
