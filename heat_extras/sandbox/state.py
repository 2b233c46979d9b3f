# SPDX-License-Identifier: Apache-2.0

"""The directory in which a sandbox keeps its stacks."""

import contextlib
import fcntl
import os
import shutil
import tempfile

_LOCK_FILE = 'sandbox.pid'


class NotUsable(Exception):
    """A directory can't be used; the message says why."""


@contextlib.contextmanager
def directory(path=None):
    """Hold a state directory for this process alone.

    :param path: it is created where needed and kept; without one, a
                 temporary directory is removed at the end
    :returns: absolute path of the directory
    :raises NotUsable: if another sandbox runs there, or for its name
    :raises OSError: if it can't be created
    """
    kept = path is not None
    path = os.path.abspath(path) if kept else tempfile.mkdtemp(
        prefix='heat-extras-sandbox-')
    try:
        os.makedirs(path, exist_ok=True)
        _check_name(path)
        with _held(path):
            yield path
    finally:
        if not kept:
            shutil.rmtree(path, ignore_errors=True)


def _check_name(path):
    # oslo.config and paste.deploy would substitute what follows.
    if '$' in path or '%' in path:
        raise NotUsable('State directory %s: its path must not contain $ or '
                        '%%. Give another --state-dir or TMPDIR' % path)


@contextlib.contextmanager
def _held(path):
    with open(os.path.join(path, _LOCK_FILE), 'a+') as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock_file.seek(0)
            raise NotUsable(
                'State directory %s is in use by another sandbox (process '
                '%s): stop that one, or give another --state-dir'
                % (path, lock_file.read().strip() or 'unknown')) from error
        lock_file.truncate(0)
        lock_file.write('%d\n' % os.getpid())
        lock_file.flush()
        yield
