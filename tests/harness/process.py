# SPDX-License-Identifier: Apache-2.0

"""A process that tests start, with its output in a file."""

import os
import re
import shutil
import signal
import subprocess

from tests.harness import logs
from tests.harness import waiting

START_SECONDS = 600
END_SECONDS = 300
STOP_SECONDS = 60
_PORT = re.compile(r'port (\d+)\s')


class NotStarted(AssertionError):
    """A process is not in the expected state; the message has its output."""


class Process:
    """A command that a test can start, pause, stop and start again.

    It has a session of its own, so that it ends with all its children, and
    ends when the test run is killed.

    :param log_path: a file to which its output is added
    :param environment: variables beside those of this process; one that is
        None is taken away
    :param is_ready: called until it returns something true
    :param user: the user that runs it if the tests run as root
    :param directory: its working directory
    :param stop_signal: the signal that requests its end
    :param last_signal: the signal that it gets when the test run is killed
    :param start_seconds: the time limit of its start
    """

    def __init__(self, name, command, log_path, environment=None,
                 is_ready=None, user=None, directory=None,
                 stop_signal=signal.SIGTERM, last_signal=signal.SIGKILL,
                 start_seconds=START_SECONDS):
        self.name = name
        self.log_path = log_path
        self._command = as_user(user, command, last_signal)
        self._environment = environment or {}
        self._is_ready = is_ready
        self._directory = directory
        self._stop_signal = stop_signal
        self._start_seconds = start_seconds
        self._process = None
        self._is_gone = True

    @property
    def pid(self):
        return self._process.pid

    @property
    def status(self):
        """The exit status, or None while running, or before the start."""
        return self._process and self._process.poll()

    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def launch(self):
        """Start the process without waiting.

        Only from a thread that stays: the kernel sends the signal of
        ``setpriv --pdeathsig`` when the *thread* that started it ends.
        """
        with open(self.log_path, 'ab') as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=_merged(self._environment),
                cwd=self._directory, start_new_session=True)
        self._is_gone = False

    def start(self):
        """Start the process, and wait until it is ready."""
        self.launch()
        self.wait_until_ready()

    def attach(self, user):
        """Let a failed test or fixture show the output, and end the process.

        :returns: itself
        """
        logs.show(user, f'output of {self.name}', self.log_path)
        user.addCleanup(self.stop)
        return self

    def wait_until_ready(self):
        """Wait until the process is ready.

        :raises NotStarted: with the end of its output
        """
        self.wait_until('to serve', self._is_ready or (lambda: True))

    def wait_until(self, description, find, is_right=bool, seconds=None,
                   **options):
        """Wait as :func:`tests.harness.waiting.until`, and while it runs.

        :param seconds: without them, as long as it may take to start
        :raises NotStarted: when it ends, or time is over
        """
        def look():
            problems = find()
            if not self.is_running():
                raise NotStarted(f'{self.name} ended with {self.status}. '
                                 f'{self._last_words()}')
            return problems
        try:
            return waiting.until(
                f'{self.name} {description}', look, is_right,
                seconds or self._start_seconds, **options)
        except waiting.TooLate as error:
            raise NotStarted(f'{error}. {self._last_words()}') from None

    def wait_for_port(self):
        """Wait until the process prints its port; return the port."""
        return int(self.wait_until('to name its port', lambda: _PORT.search(
            self.output())).group(1))

    def wait_for_end(self, seconds=END_SECONDS):
        """Wait until the process ends by itself; return its exit status."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(
                f'{self.name} was to end, and runs after {seconds} seconds. '
                f'{self._last_words()}') from None

    def output(self):
        """Return the output of the process."""
        with open(self.log_path, errors='replace') as source:
            return source.read()

    def terminate(self):
        """Send the stop signal without waiting."""
        if self.is_running():
            self._process.send_signal(self._stop_signal)

    def stop(self, seconds=STOP_SECONDS):
        """Stop the process, and wait; a second call has no effect.

        :returns: its exit status, -9 if it did not end in time
        """
        if self._process is None:
            return None
        self.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        self.kill()
        return self.status

    def kill(self):
        """Kill the process and its children, like a power failure."""
        if self._is_gone:
            return
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait(STOP_SECONDS)
        # Another process may get the same ID from now on.
        self._is_gone = True

    def pause(self):
        """Pause the process, like an overloaded host."""
        os.killpg(self.pid, signal.SIGSTOP)

    def go_on(self):
        """Continue the process, which then handles the waiting requests."""
        os.killpg(self.pid, signal.SIGCONT)

    def _last_words(self):
        return f'The end of {self.log_path}:\n{logs.tail(self.log_path)}'


def as_user(name, command, last_signal=signal.SIGTERM):
    """Return the command line that runs *command* as a user's.

    Only root can, and needs to: others run it as themselves. The process
    gets *last_signal* when the one that started it dies, so that a killed
    test run leaves nothing behind.
    """
    if name is None and not shutil.which('setpriv'):
        return list(map(str, command))
    words = ['setpriv', '--pdeathsig', last_signal.name[3:]]
    if name is not None and os.geteuid() == 0:
        words += ['--reuid', name, '--regid', name, '--clear-groups']
    return [*words, *map(str, command)]


def _merged(environment):
    merged = {**os.environ, **environment}
    return {name: str(value) for name, value in merged.items()
            if value is not None}
