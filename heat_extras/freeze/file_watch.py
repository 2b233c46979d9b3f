# SPDX-License-Identifier: Apache-2.0

"""The windows in effect in this engine, while their file changes.

If the file has errors, an engine does not start. If the file changes and then
has errors, the previous windows stay in effect, and one error is logged. Each
engine reports the digest of its windows.
"""

import os
import threading

from heat.db import api as db_api
from oslo_config import cfg
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.freeze import file_parser
from heat_extras.freeze import window as windows
from heat_extras import yaml_file

LOG = logging.getLogger(__name__)

_freezes = models.freezes_table


class FileWatch:
    """The windows of one file.

    :ivar digest: the digest of the content in effect.
    :ivar refused: the digest of the current content if it has errors,
        ``unreadable`` if the file cannot be read, or None.
    """

    def __init__(self, path: str):
        """Read the file.

        :raises ActivationError: with all errors of the file.
        """
        self._path = path
        self._mutex = threading.Lock()
        self._seen = self._stat()
        freezes = file_parser.load(path)
        self._windows, self.digest = freezes.windows, freezes.digest
        self.refused: str | None = None

    def windows(self) -> tuple[windows.Window, ...]:
        """Return the windows in effect, and first check for a new file."""
        seen = self._stat()
        if seen != self._seen:
            with self._mutex:
                if seen != self._seen:
                    self._read()
                    self._seen = seen
        return self._windows

    def _stat(self) -> tuple:
        try:
            stat = os.stat(self._path)
        except OSError as error:
            return (error.errno,)
        return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns,
                stat.st_ctime_ns)

    def _read(self) -> None:
        content = None
        try:
            content = yaml_file.read(file_parser.OPTION, self._path)
            freezes = file_parser.parse(content, self._path)
        # Also handle unexpected errors: otherwise all operations would fail.
        except Exception as error:
            self._keep_windows('unreadable' if content is None
                               else file_parser.digest(content), error)
        else:
            self._use(freezes)

    def _keep_windows(self, refused: str, error: Exception) -> None:
        if refused != self.refused:
            LOG.error('heat-extras: the changed freezes_file cannot be used, '
                      'so the previous freezes stay in effect. The error is: '
                      '%s', error)
        self.refused = refused

    def _use(self, freezes: file_parser.Freezes) -> None:
        if (freezes.digest, None) != (self.digest, self.refused):
            LOG.info('heat-extras: the freezes of %(path)s are now in effect '
                     '(number of freezes: %(count)s)',
                     {'path': self._path, 'count': len(freezes.windows)})
        self._windows, self.digest = freezes.windows, freezes.digest
        self.refused = None


_watches: list[FileWatch] = []


def current_windows() -> tuple[windows.Window, ...]:
    """List the windows in effect, and first check for a new file."""
    return _watches[0].windows() if _watches else ()


def start() -> None:
    """Read the file, so that its errors stop the engine's start."""
    _watches[:] = [FileWatch(cfg.CONF.heat_extras.freezes_file)]


def stop() -> None:
    """Stop the use of the file."""
    _watches.clear()


def record_freezes(sweep) -> None:
    """Record the digest of the windows in effect, for the upgrade check.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    for watch in _watches:
        # Check for a new file even if this engine has no requests.
        watch.windows()
        if _write(sweep.context, sweep.service.engine_id, watch):
            counter_writes.count_event(
                counters.DELETED_STACKS, counters.FREEZES_FILE,
                counters.UNUSABLE, sweep.context)


@transactions.on_db_error
def _write(context, engine_id: str, watch: FileWatch) -> bool:
    # Return whether the errors of the file differ from the last report.
    own = _freezes.c.engine_id == engine_id
    now = {'digest': watch.digest, 'refused': watch.refused}
    with db_api.context_manager.writer.independent.using(context) as session:
        reported = session.execute(
            sqlalchemy.select(_freezes).where(own)).first()
        if reported is None:
            session.execute(sqlalchemy.insert(_freezes).values(
                engine_id=engine_id, **now))
        elif (reported.digest, reported.refused) != tuple(now.values()):
            session.execute(sqlalchemy.update(_freezes).where(own).values(
                **now))
    return watch.refused not in (None, getattr(reported, 'refused', None))
