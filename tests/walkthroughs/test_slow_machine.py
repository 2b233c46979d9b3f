# SPDX-License-Identifier: Apache-2.0

"""The start of a sandbox that gets little of the processor, or none."""

import contextlib
import os
import signal
import tempfile
import threading

import testtools

from heat_extras.sandbox import process

# Seconds that it runs, and is paused, in turns: ten times slower.
RUN, PAUSE = 0.05, 0.45
# The pauses and the load of a test run are far shorter.
IDLE_SECONDS = 20


@contextlib.contextmanager
def slowed(sandbox):
    """Pause a sandbox nine tenths of the time.

    :returns: a context manager, with a function that begins it
    """
    ended = threading.Event()

    def pause_in_turns():
        while not ended.wait(RUN):
            os.kill(sandbox.pid, signal.SIGSTOP)
            ended.wait(PAUSE)
            os.kill(sandbox.pid, signal.SIGCONT)

    thread = threading.Thread(target=pause_in_turns)

    def begin():
        if thread.ident is None:
            thread.start()
    try:
        yield begin
    finally:
        ended.set()
        thread.join()


class SlowMachineTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.errors = self.enterContext(tempfile.TemporaryFile('w+'))
        self.sandbox = process.SandboxProcess(errors=self.errors)
        self.addCleanup(self.sandbox.kill)

    def written(self):
        end = os.fstat(self.errors.fileno()).st_size
        return os.pread(self.errors.fileno(), end, 0).decode()

    def test_a_heat_that_is_ten_times_slower_gets_ready(self):
        with slowed(self.sandbox) as begin:
            self.sandbox.start(begin, idle_seconds=IDLE_SECONDS)
        text = self.written()
        self.assertIn('Starting Heat: creating the database ...', text)
        # The longest steps.
        for step in ('importing', 'starting the engine'):
            self.assertRegex(text, f'Starting Heat: {step}, .* s so far')

    def test_one_that_stops_is_given_up_with_its_last_lines(self):
        def stop_within():
            if 'creating the database' in self.written():
                os.kill(self.sandbox.pid, signal.SIGSTOP)
        error = str(self.assertRaises(
            process.NotReady, self.sandbox.start, stop_within,
            idle_seconds=3))
        self.assertIn('did not get ready: it did not use the processor',
                      error)
        self.assertIn('heat-extras-sandbox: Starting Heat: creating the '
                      'database ...', error)
        self.assertEqual(-signal.SIGKILL, self.sandbox.status)
