# SPDX-License-Identifier: Apache-2.0

"""A sandbox in a process of its own, for the demo and for tests."""

import contextlib
import os
import select
import subprocess
import sys
import typing

from heat_extras.sandbox import state_directory

# A start takes ten seconds or fewer; a slow machine may take far longer.
START_SECONDS = 900
STOP_SECONDS = 60

_READY = 'ready: '
_LOG_LINES = 10


class NotReady(Exception):
    """The sandbox ended or did not become ready; the message says which."""


class SandboxProcess:
    """Start and stop ``heat-extras-sandbox serve`` on a free port.

    :param state_dir: where it keeps its stacks; None for a temporary place
    :param options: further arguments of ``serve``
    :param errors: an open file for what it writes to its standard error; it
                   is read, too
    :param python: of the environment with its Heat
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
        """The number of the process."""
        return self._process.pid

    @property
    def status(self):
        """Its exit status; None while it runs."""
        return self._process.poll()

    def start(self, seconds=START_SECONDS):
        """Start it and wait until it is ready.

        :returns: the URL of its API, which is also kept as ``url``
        :raises NotReady: if it ends, or is not ready after that time
        """
        self._process = self._spawn(self._command)
        try:
            line = self._first_line(seconds)
            if not line.startswith(_READY):
                raise self.failure('The standard output of the sandbox is '
                                   '%r: expected "ready: URL"' % line)
        except BaseException:
            # It removes its directory itself.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.stop()
            raise
        self.url = line.removeprefix(_READY).strip()
        return self.url

    def stop(self, seconds=STOP_SECONDS):
        """Ask it to stop, as ``kill PID`` does.

        :returns: its exit status
        :raises subprocess.TimeoutExpired: if it still runs after that time;
                                           it is killed
        """
        self._process.terminate()
        return self.wait(seconds)

    def wait(self, seconds=STOP_SECONDS):
        """Wait until it has ended, like :meth:`stop` without asking."""
        try:
            return self._process.wait(seconds)
        finally:
            self.kill()

    def kill(self):
        """End it at once; nothing happens if it has ended."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def failure(self, text):
        """Make a :class:`NotReady` with the last lines of its logs."""
        lines = [] if self._errors is None else _tail(self._errors.fileno())
        for path in filter(os.path.exists, self._log_paths):
            with open(path) as log:
                lines += _tail(log.fileno())
        if lines:
            text += '. The last lines of its log:\n' + '\n'.join(lines)
        return NotReady(text)

    def _spawn(self, command):
        # Modules in the working directory are not those of the sandbox.
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
    """Return the last lines of a file, at whatever position it is."""
    text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    return text.decode(errors='replace').splitlines()[-_LOG_LINES:]
