# SPDX-License-Identifier: Apache-2.0

"""One process of the cloud, that a test can stop and start again."""

import os
import signal
import subprocess
import time

from tests.rigs.services import daemon

START_SECONDS = 300
STOP_SECONDS = 30
_STEP_SECONDS = 0.2


class Process:
    """A command with a log of its own.

    :param environment: variables beside those of this process
    :param is_ready: called until it returns something true
    """

    def __init__(self, name, command, log_path, environment, is_ready=None):
        self.name = name
        self.log_path = log_path
        self._command = command
        self._environment = environment
        self._is_ready = is_ready
        self._process = None

    @property
    def pid(self):
        return self._process.pid

    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def launch(self):
        """Start it, and do not wait.

        Only from a thread that stays: the kernel sends the signal of
        ``setpriv --pdeathsig`` when the *thread* that started it ends.
        """
        with open(self.log_path, 'ab') as log:
            self._process = subprocess.Popen(
                ['setpriv', '--pdeathsig', 'KILL', *self._command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self._environment},
                start_new_session=True)

    def start(self):
        """Start it, and wait until it serves."""
        self.launch()
        self.wait()

    def wait(self):
        """Wait until it serves.

        :raises tests.rigs.services.daemon.NotStarted: with the end of its log.
        """
        wait_for(f'{self.name} to serve', self._answers, self.log_path)

    def terminate(self):
        """Ask it to end, and do not wait."""
        if self.is_running():
            self._process.terminate()

    def stop(self):
        """Ask it to end, and wait; a second time does nothing."""
        self.terminate()
        if self.is_running():
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                pass
        self.kill()

    def kill(self):
        """End it and its children at once, like a host losing power."""
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait(STOP_SECONDS)

    def pause(self):
        """Let it hang, like a host that is overloaded."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def go_on(self):
        """Let it work again; it does what it was asked meanwhile."""
        os.killpg(self._process.pid, signal.SIGCONT)

    def _answers(self):
        if not self.is_running():
            raise daemon.NotStarted(
                f'{self.name} ended with {self._process.returncode}. The '
                f'end of {self.log_path}:\n{daemon.tail(self.log_path)}')
        return self._is_ready is None or self._is_ready()


def wait_for(what, condition, log_path=None, seconds=START_SECONDS):
    """Wait until *condition* returns something true, and return that.

    :raises tests.rigs.services.daemon.NotStarted: when it does not in time.
    """
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            log = log_path and (f' The end of {log_path}:\n'
                                f'{daemon.tail(log_path)}')
            raise daemon.NotStarted(
                f'Waited {seconds} s for {what}, in vain.{log or ""}')
        time.sleep(_STEP_SECONDS)
    return found
