# SPDX-License-Identifier: Apache-2.0

import os
import sys
import tempfile
import time

import testtools

from heat_extras.sandbox import process


class ProcessTest(testtools.TestCase):
    """The process runs a script instead of the sandbox."""

    def _start(self, script, state_dir=None, errors=None, **options):
        sandbox = process.SandboxProcess(state_dir, errors=errors)
        sandbox._command = [sys.executable, '-c', script]
        self.addCleanup(sandbox.kill)
        return sandbox, lambda: sandbox.start(**options)

    def test_start_returns_url_after_ready(self):
        _sandbox, start = self._start(
            'import time; print("ready: http://here", flush=True); '
            'time.sleep(60)')
        self.assertEqual('http://here', start())

    def test_end_before_ready_is_reported_with_status(self):
        _sandbox, start = self._start('raise SystemExit(3)')
        error = self.assertRaises(process.NotReady, start)
        self.assertIn('status 3', str(error))

    def test_process_is_killed_if_not_ready_in_time(self):
        sandbox, start = self._start('import time; time.sleep(60)',
                                     seconds=0.5)
        self.assertIn('not ready after 0 seconds', str(
            self.assertRaises(process.NotReady, start)))
        self.assertIsNotNone(sandbox.status)

    def test_error_has_last_lines_of_both_logs(self):
        state_dir = self.enterContext(tempfile.TemporaryDirectory())
        errors = self.enterContext(tempfile.TemporaryFile('w+'))
        _sandbox, start = self._start(
            'import sys\n'
            'for number in range(100): print(number, file=sys.stderr)\n'
            f'with open({state_dir + "/heat.log"!r}, "w") as log:\n'
            '    print("because", file=log)\n'
            'sys.exit(3)', state_dir, errors)
        error = str(self.assertRaises(process.NotReady, start))
        self.assertIn('status 3. The last lines of the log of the sandbox:\n'
                      '90\n', error)
        self.assertTrue(error.endswith('\n98\n99\nbecause'), error)

    def test_interrupted_start_waits_for_cleanup(self):
        place = self.enterContext(tempfile.TemporaryDirectory())
        kept = os.path.join(place, 'kept')
        sandbox, start = self._start(
            'import os, signal, time\n'
            f'signal.signal(signal.SIGTERM, lambda *_: os.remove({kept!r}))\n'
            f'open({kept!r}, "w").close()\n'
            f'while os.path.exists({kept!r}):\n'
            '    time.sleep(0.01)\n')

        def interrupted(_seconds):
            while not os.path.exists(kept):
                time.sleep(0.01)
            raise KeyboardInterrupt
        sandbox._first_line = interrupted
        # The script ends when its file is gone.
        self.assertRaises(KeyboardInterrupt, start)
        self.assertIsNotNone(sandbox.status)
        self.assertFalse(os.path.exists(kept))

    def test_unexpected_first_line_is_rejected(self):
        _sandbox, start = self._start('print("hello")')
        error = self.assertRaises(process.NotReady, start)
        self.assertIn('hello', str(error))

    def test_kill_without_start_is_fine(self):
        process.SandboxProcess().kill()
