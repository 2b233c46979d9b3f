# SPDX-License-Identifier: Apache-2.0

"""Base of services that are started and stopped by tests."""

import os
import pwd
import shutil
import signal

import fixtures

from tests.harness import command
from tests.harness import ports
from tests.harness import process


class Daemon(fixtures.Fixture):
    """A process in the foreground with a separate directory.

    A subclass says how to prepare, start and ask it.

    :ivar directory: the directory, owned by the user of the service.
    :ivar port: the port on which it listens.
    """

    user = None
    stop_signal = signal.SIGTERM

    def _setUp(self):
        # Not in a TempDir of a test: a shared service exists longer.
        self.directory = self.useFixture(fixtures.TempDir()).path
        self._give(self.directory)
        self.port = ports.free_port()
        self.log_path = os.path.join(self.directory, 'log')
        self.prepare()
        self.start()

    def prepare(self):
        """Find the programs, and create the files of the process."""
        raise NotImplementedError

    def command(self):
        """Return the command line of the process."""
        raise NotImplementedError

    def environment(self):
        """Return additional environment variables of the process."""
        return {}

    def is_ready(self):
        """Return whether the process is ready."""
        raise NotImplementedError

    def start(self):
        """Start the process, and wait until it is ready."""
        self.process = self._process(type(self).__name__, self.command(),
                                     self.is_ready)
        self.process.attach(self).start()

    def stop(self):
        """Stop the process; a second call has no effect."""
        self.process.stop()

    def start_helper(self, name, words):
        """Start a second process, which ends after the first one."""
        self._process(name, words).attach(self).start()

    def run_once(self, words):
        """Run a command of the service as its user.

        :raises tests.harness.command.Failed: with what it printed, when it
            failed.
        """
        return command.check(
            process.as_user(self.user, words, self.stop_signal),
            environment={**os.environ, **self.environment()},
            directory=self.directory)

    def _process(self, name, words, is_ready=None):
        return process.Process(
            name, words, self.log_path, self.environment(), is_ready,
            user=self.user, directory=self.directory,
            stop_signal=self.stop_signal, last_signal=self.stop_signal)

    def _give(self, path):
        if os.geteuid() == 0:
            shutil.chown(path, *self._owner())

    def _owner(self):
        entry = pwd.getpwnam(self.user)
        return entry.pw_uid, entry.pw_gid
