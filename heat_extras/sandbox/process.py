# SPDX-License-Identifier: Apache-2.0

"""A sandbox in a process of its own, for the demo and for tests."""

import contextlib
import os
import select
import subprocess
import sys
import typing

from heat_extras.sandbox import state_directory

# A start takes at most ten seconds, but a slow machine can take far longer.
START_SECONDS = 900
STOP_SECONDS = 60

_READY = 'ready: '
_LOG_LINES = 10


class NotReady(Exception):
    """The sandbox ended or did not become ready, see the message."""


class SandboxProcess:
    """Start and stop ``heat-extras-sandbox serve`` on a free port.

    :param state_dir: the directory for its stacks, or None for a temporary one
    :param options: further arguments of ``serve``
    :param errors: an open file for its standard error, which must be readable
    :param python: the interpreter of the environment with Heat
    """

    def __init__(self, state_dir=None, options=(), errors=None,
                 python=sys.executable):
        self.url = None
        self._errors = errors
        self._log_paths = []
        self._process: typing.Any = None
        self._command = [python, '-m', 'heat_extras.cmd.sandbox',
                         'serve', '--port', '0', *options]
        if state_dir:
            self._command += ['--state-dir', str(state_dir)]
            self._log_paths.append(
                os.path.join(state_dir, state_directory.LOG_FILE))

    @property
    def pid(self):
        """The ID of the process."""
        return self._process.pid

    @property
    def status(self):
        """The exit status of the process, or None while it runs."""
        return self._process.poll()

    def start(self, seconds=START_SECONDS):
        """Start the sandbox, and wait until it is ready.

        :returns: the URL of its API, which is also the attribute ``url``
        :raises NotReady: if it ends, or is not ready after this time
        """
        self._process = self._spawn(self._command)
        try:
            line = self._first_line(seconds)
            if not line.startswith(_READY):
                raise self.failure('The standard output of the sandbox is '
                                   '%r: expected "ready: URL"' % line)
        except BaseException:
            # Stop it first, because it removes its directory itself.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.stop()
            raise
        self.url = line.removeprefix(_READY).strip()
        return self.url

    def stop(self, seconds=STOP_SECONDS):
        """Stop the sandbox, like ``kill PID``.

        :returns: its exit status
        :raises subprocess.TimeoutExpired: if it still runs after this time.
                                           It is then killed
        """
        self._process.terminate()
        return self.wait(seconds)

    def wait(self, seconds=STOP_SECONDS):
        """Wait until the sandbox has ended, like :meth:`stop`."""
        try:
            return self._process.wait(seconds)
        finally:
            self.kill()

    def kill(self):
        """Kill the sandbox, unless it has ended."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def failure(self, text):
        """Return a :class:`NotReady` with the last lines of the logs."""
        lines = [] if self._errors is None else _tail(self._errors.fileno())
        for path in filter(os.path.exists, self._log_paths):
            with open(path) as log:
                lines += _tail(log.fileno())
        if lines:
            text += ('. The last lines of the log of the '
                     'sandbox:\n') + '\n'.join(lines)
        return NotReady(text)

    def _spawn(self, command):
        # With PYTHONSAFEPATH, the sandbox does not import modules from the
        # working directory.
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self._errors, env={**os.environ, 'PYTHONSAFEPATH': '1'})

    def _first_line(self, seconds):
        output = self._process.stdout
        if not select.select([output], [], [], seconds)[0]:
            raise self.failure(
                'The sandbox was not ready after %d seconds' % seconds)
        line = output.readline().decode()
        if not line:
            raise self.failure('The sandbox ended with status %d'
                               % self._process.wait(STOP_SECONDS))
        return line


def _tail(descriptor):
    """Return the last lines of a file, without a change of its position."""
    text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    return text.decode(errors='replace').splitlines()[-_LOG_LINES:]
