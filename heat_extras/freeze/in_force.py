# SPDX-License-Identifier: Apache-2.0

"""The windows that hold in this engine, while their file changes.

A file with errors stops an engine that starts. One that changes to it leaves
the windows in force that were good, says so once, and counts for the operator
(:mod:`standing`).

Pure: nothing of Heat is imported.
"""

import os
import threading

from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.config_validation import yaml_file
from heat_extras.freeze import freezes_file
from heat_extras.freeze import window as windows

LOG = logging.getLogger(__name__)


class Holder:
    """The windows of one file.

    :ivar digest: of what is in force.
    :ivar refused: the digest of what the file says now, where that has
        errors, or what is in the way of reading it; else None.
    """

    def __init__(self, path: str):
        """Read the file.

        :raises ActivationError: with everything that is wrong with it.
        """
        self._path = path
        self._mutex = threading.Lock()
        self._seen = self._look()
        found = freezes_file.load(path)
        self._windows, self.digest = found.windows, found.digest
        self.refused: str | None = None
        self._uncounted = 0

    def windows(self) -> tuple[windows.Window, ...]:
        """Return those in force, after a look whether the file changed."""
        seen = self._look()
        if seen != self._seen:
            with self._mutex:
                if seen != self._seen:
                    self._read()
                    self._seen = seen
        return self._windows

    def take_uncounted(self) -> int:
        """Return how many files could not be put in force since it was asked.

        Each is told once, to one of those who ask.
        """
        # Not each time behind the mutex: operations ask, too.
        if not self._uncounted:
            return 0
        with self._mutex:
            found, self._uncounted = self._uncounted, 0
        return found

    def _look(self) -> tuple:
        try:
            found = os.stat(self._path)
        except OSError as error:
            return (error.errno,)
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns,
                found.st_ctime_ns)

    def _read(self) -> None:
        content = None
        try:
            content = yaml_file.read(freezes_file.OPTION, self._path)
            found = freezes_file.parse(content, self._path)
        # What nobody has foreseen, too: else all operations would fail.
        except Exception as error:
            self._keep('unreadable' if content is None
                       else freezes_file.digest(content), error)
        else:
            self._take(found)

    def _keep(self, refused: str, error: Exception) -> None:
        if refused != self.refused:
            LOG.error('heat-extras: the freezes that were read before stay in '
                      'force: %s', error)
            self._uncounted += 1
        self.refused = refused

    def _take(self, found: freezes_file.Freezes) -> None:
        if (found.digest, None) != (self.digest, self.refused):
            LOG.info('heat-extras: freezes are in force as %(path)s says now, '
                     'windows: %(count)s', {'path': self._path,
                                            'count': len(found.windows)})
        self._windows, self.digest = found.windows, found.digest
        self.refused = None


_holders: list[Holder] = []


def current() -> Holder | None:
    """Return what holds in this process; None: nothing does."""
    return _holders[0] if _holders else None


def start() -> None:
    """Read the file, so that one with errors stops the engine."""
    _holders[:] = [Holder(cfg.CONF.heat_extras.freezes_file)]


def stop() -> None:
    """Forget it."""
    _holders.clear()
