# SPDX-License-Identifier: Apache-2.0

"""A service's process: started for tests only, and ended with them."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

import fixtures

START_SECONDS = 90
STOP_SECONDS = 30
_TAIL = 40


class NotStarted(AssertionError):
    """A service did not come up; the message has the end of its log."""


def free_port():
    """Find a port on the loopback interface that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def tail(path, lines=_TAIL):
    """Return the last lines of a file, '' when there is none."""
    if not os.path.exists(path):
        return ''
    with open(path, errors='replace') as source:
        return ''.join(source.readlines()[-lines:])


def as_user(name, command, stop_signal='TERM'):
    """Return the command line that runs *command* as a user's.

    Only root can, and needs to: others run it as themselves. The process
    gets *stop_signal* when the one that started it dies, so that a killed
    test run leaves nothing behind.
    """
    setpriv = ['setpriv', '--pdeathsig', stop_signal]
    if os.geteuid() == 0:
        setpriv += ['--reuid', name, '--regid', name, '--clear-groups']
    return [*setpriv, *command]


class Daemon(fixtures.Fixture):
    """A process in the foreground, with a directory of its own.

    A subclass says how to prepare, start and ask it.

    :ivar directory: it belongs to the user of the service.
    :ivar port: where it listens.
    """

    user = None
    stop_signal = signal.SIGTERM

    def _setUp(self):
        # Not below a TempDir of a test: a shared one outlives the test.
        self.directory = self.useFixture(fixtures.TempDir()).path
        self._give(self.directory)
        self.port = free_port()
        self.log_path = os.path.join(self.directory, 'log')
        self.prepare()
        self.start()

    def prepare(self):
        """Find the programs and make what the process needs."""
        raise NotImplementedError

    def command(self):
        """Return the command line of the process."""
        raise NotImplementedError

    def environment(self):
        """Return what the process has in its environment, beside ours."""
        return {}

    def is_ready(self):
        """Ask the process whether it serves."""
        raise NotImplementedError

    def start(self):
        """Start the process and wait until it serves."""
        with open(self.log_path, 'ab') as log:
            self.process = subprocess.Popen(
                self._as_user(self.command()), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, cwd=self.directory,
                env={**os.environ, **self.environment()})
        self.addCleanup(self.stop)
        self._wait()

    def stop(self):
        """Stop the process; a second time does nothing."""
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(STOP_SECONDS)

    def run_once(self, command):
        """Run a command of the service's to its end, as its user.

        :raises NotStarted: with what it printed, when it failed.
        """
        done = subprocess.run(
            self._as_user(command), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
            cwd=self.directory, env={**os.environ, **self.environment()},
            timeout=START_SECONDS)
        if done.returncode:
            raise NotStarted(f'{command[0]} failed with {done.returncode}:\n'
                             f'{done.stdout}')
        return done.stdout

    def _as_user(self, command):
        return as_user(self.user, command, self.stop_signal.name[3:])

    def _give(self, path):
        if os.geteuid() == 0:
            shutil.chown(path, *self._owner())

    def _owner(self):
        entry = pwd.getpwnam(self.user)
        return entry.pw_uid, entry.pw_gid

    def _wait(self):
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if self.process.poll() is not None:
                self._fail(f'ended with {self.process.returncode}')
            if time.monotonic() > deadline:
                self._fail(f'did not answer within {START_SECONDS} s')
            time.sleep(0.1)

    def _fail(self, what):
        raise NotStarted(f'{type(self).__name__} {what}. The end of its '
                         f'log:\n{tail(self.log_path)}')
