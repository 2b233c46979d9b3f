# SPDX-License-Identifier: Apache-2.0

"""The start of a sandbox that gets little processor time."""

import contextlib
import os
import signal
import tempfile
import threading

import testtools

from heat_extras.sandbox import process

# Alternating seconds of running and pausing: ten times slower.
RUN, PAUSE = 0.05, 0.45


@contextlib.contextmanager
def slowed(sandbox):
    """Pause a sandbox for nine tenths of the time from its start."""
    ended = threading.Event()

    def pause_in_turns():
        while not ended.wait(RUN):
            with contextlib.suppress(AttributeError):
                # Before the start, it has no process ID.
                os.kill(sandbox.pid, signal.SIGSTOP)
                ended.wait(PAUSE)
                os.kill(sandbox.pid, signal.SIGCONT)

    thread = threading.Thread(target=pause_in_turns)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class SlowMachineTest(testtools.TestCase):

    def test_sandbox_starts_on_machine_ten_times_slower(self):
        errors = self.enterContext(tempfile.TemporaryFile('w+'))
        sandbox = process.SandboxProcess(errors=errors)
        self.addCleanup(sandbox.kill)
        with slowed(sandbox):
            sandbox.start()
        errors.seek(0)
        self.assertIn('Starting Heat ...', errors.read())
