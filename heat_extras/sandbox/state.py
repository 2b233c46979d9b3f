# SPDX-License-Identifier: Apache-2.0

"""The directory in which a sandbox keeps its stacks."""

import contextlib
import fcntl
import os
import shutil
import tempfile

_LOCK_FILE = 'sandbox.pid'


class InUse(Exception):
    """Another sandbox runs in the directory."""


@contextlib.contextmanager
def directory(path=None):
    """Hold a state directory for this process alone.

    :param path: it is created where needed and kept; without one, a
                 temporary directory is removed at the end
    :returns: absolute path of the directory
    :raises InUse: if another sandbox runs there
    """
    kept = path is not None
    path = os.path.abspath(path) if kept else tempfile.mkdtemp(
        prefix='heat-extras-sandbox-')
    os.makedirs(path, exist_ok=True)
    try:
        with _held(path):
            yield path
    finally:
        if not kept:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _held(path):
    with open(os.path.join(path, _LOCK_FILE), 'a+') as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock_file.seek(0)
            raise InUse(
                'State directory %s is in use by another sandbox (process '
                '%s): stop that one, or give another --state-dir'
                % (path, lock_file.read().strip() or 'unknown')) from error
        lock_file.truncate(0)
        lock_file.write('%d\n' % os.getpid())
        lock_file.flush()
        yield
