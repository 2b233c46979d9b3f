# SPDX-License-Identifier: Apache-2.0

"""A sandbox in a process of its own, for the demo and for tests."""

import contextlib
import os
import select
import subprocess
import sys
import time
import typing

READY_SECONDS = 120
STOP_SECONDS = 60

_READY = b'ready: '


class NotReady(Exception):
    """The sandbox ended, or said nothing in time; the message says which."""


class SandboxProcess:
    """Start and stop ``heat-extras-sandbox serve`` on a free port.

    :param state_dir: where it keeps its stacks; None for a temporary place
    :param options: further arguments of ``serve``
    :param errors: an open file for what it writes to its standard error
    :param python: of the environment with its Heat
    """

    def __init__(self, state_dir=None, options=(), errors=None,
                 python=sys.executable):
        self.url = None
        self._errors = errors
        self._process: typing.Any = None
        self._command = [python, '-m', 'heat_extras.cmd.sandbox',
                         'serve', '--port', '0', *options]
        if state_dir:
            self._command += ['--state-dir', str(state_dir)]

    @property
    def pid(self):
        """The number of the process."""
        return self._process.pid

    def start(self, seconds=READY_SECONDS):
        """Start it and wait until it is ready.

        :returns: the URL of its API, which is also kept as ``url``
        :raises NotReady: if it is not ready in time
        """
        self._process = self._spawn(self._command)
        try:
            line = self._first_line(time.monotonic() + seconds)
            if not line.startswith(_READY):
                raise NotReady('Found %r on the standard output of the '
                               'sandbox, wanted "ready: URL"' % line)
        except NotReady:
            self.kill()
            raise
        except BaseException:
            # Ctrl-C: it is well, and removes its directory itself.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.stop()
            raise
        self.url = line[len(_READY):].decode().strip()
        return self.url

    def stop(self, seconds=STOP_SECONDS):
        """Ask it to stop, as ``kill PID`` does.

        :returns: its exit status
        :raises subprocess.TimeoutExpired: if it is still there after that
                                           time; it is killed then
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
        """End it at once, whatever it is doing; ended already is fine."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _spawn(self, command):
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self._errors)

    def _first_line(self, deadline):
        source = self._process.stdout.fileno()
        text = b''
        while not text.endswith(b'\n'):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([source], [], [], left)[0]:
                raise NotReady('The sandbox did not get ready in time; its '
                               'log is heat.log in its state directory')
            found = os.read(source, 4096)
            if not found:
                raise NotReady('The sandbox ended with status %d'
                               % self._process.wait(STOP_SECONDS))
            text += found
        return text
