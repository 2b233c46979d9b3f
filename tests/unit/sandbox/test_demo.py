# SPDX-License-Identifier: Apache-2.0

import sys
import tempfile
import time
import types

import testtools

from heat_extras.sandbox import demo
from heat_extras.sandbox import demo_steps
from heat_extras.sandbox import process


def terminal(status=None):
    """Make a terminal that runs Python instead of the client."""
    return demo.Terminal(sys.executable, types.SimpleNamespace(
        url='http://127.0.0.1:1/v1/demo', status=status,
        failure=process.SandboxProcess().failure), '.')


def python(code, **fields):
    """Return a step that runs Python code."""
    return demo_steps.Step('story', ('-c', code), **fields)


class StepTest(testtools.TestCase):
    """Steps that run a Python script instead of the client."""

    def _run(self, script, **expectations):
        fault, _text = demo.run_step(python(script, **expectations),
                                     terminal())
        return fault

    def test_step_fails_without_expected_text(self):
        self.assertIsNone(self._run('print("locked")', says=('locked',)))
        self.assertIsNotNone(self._run('print("free")', says=('locked',)))

    def test_stderr_is_part_of_output(self):
        self.assertIsNone(self._run(
            'import sys; sys.exit("is locked")', succeeds=False,
            says=('is locked',)))

    def test_wait_ends_after_step_seconds(self):
        self.patch(demo, 'STEP_SECONDS', 2)
        self.assertIsNotNone(
            self._run('print(1)', says=('2',), waits=True))

    def test_wait_ends_when_step_succeeds(self):
        place = self.enterContext(tempfile.TemporaryDirectory())
        # The script fails only the first time.
        self.assertIsNone(self._run(
            f'import os; there = os.path.exists({place + "/it"!r})\n'
            f'os.makedirs({place + "/it"!r}, exist_ok=True)\n'
            'raise SystemExit(not there)', waits=True))

    def test_step_starts_after_pause(self):
        begin = time.monotonic()
        self.assertIsNone(self._run('print(1)', says=('1',), pause=1))
        self.assertLessEqual(1, time.monotonic() - begin)


class TerminalTest(testtools.TestCase):

    def test_output_has_both_streams(self):
        code = 'import sys; print(1, flush=True); print(2, file=sys.stderr)'
        self.assertEqual((0, '1\n2\n'), terminal().run(python(code)))

    def test_ended_sandbox_process_is_reported(self):
        self.assertEqual((0, '1\n'),
                         terminal().run(python('print(1)')))
        error = self.assertRaises(process.NotReady, terminal(-9).run,
                                  python('print(1)'))
        self.assertIn('ended with status -9', str(error))

    def test_other_project_is_in_endpoint_url(self):
        _status, text = terminal().run(python(
            'import os; print(os.environ["OS_ENDPOINT"])',
            project='accounting'))
        self.assertEqual('http://127.0.0.1:1/v1/accounting\n', text)

    def test_other_user_and_program(self):
        _status, text = terminal().run(demo_steps.Step(
            'story', ('-c', 'echo $OS_TOKEN'), token='bob:member',
            program='sh'))
        self.assertEqual('bob:member\n', text)

    def test_stuck_client_times_out(self):
        self.patch(demo, 'STEP_SECONDS', 0.5)
        error = self.assertRaises(
            process.NotReady, terminal().run,
            python('import time; time.sleep(60)'))
        self.assertIn('timed out after 0.5 seconds', str(error))
