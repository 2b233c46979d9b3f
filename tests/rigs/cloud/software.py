# SPDX-License-Identifier: Apache-2.0

"""The installed services: one virtual environment, kept between runs."""

import contextlib
import fcntl
import hashlib
import os
import sys

from tests.rigs import command

PLACE = 'HEAT_EXTRAS_CLOUD_VENV'
INSTALL_SECONDS = 900

_REQUIREMENTS = os.path.join(os.path.dirname(__file__), 'requirements.txt')
# Written last: a place without it is half an installation.
_STAMP = 'heat-extras-cloud'


def environment():
    """Install the services, unless they are; return the place.

    :raises tests.rigs.command.Failed: with the end of what pip said.
    """
    place = _place()
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with _exclusive(place + '.lock'):
        if _read(os.path.join(place, _STAMP)) != _fingerprint():
            _install(place)
    return place


def _place():
    cache = os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache')
    return os.path.abspath(os.environ.get(PLACE) or os.path.join(
        cache, 'heat-extras', 'cloud-venv'))


def _fingerprint():
    text = f'{sys.version_info[:2]}\n{_read(_REQUIREMENTS)}'
    return hashlib.sha256(text.encode()).hexdigest()


def _install(place):
    # --clear also empties what an older list has left behind.
    command.check([sys.executable, '-m', 'venv', '--clear', place])
    command.check(
        [os.path.join(place, 'bin', 'python'), '-m', 'pip', 'install',
         '--disable-pip-version-check',
         # Most of it is never imported.
         '--no-compile', '-r', _REQUIREMENTS], seconds=INSTALL_SECONDS)
    with open(os.path.join(place, _STAMP), 'w') as target:
        target.write(_fingerprint())


@contextlib.contextmanager
def _exclusive(path):
    """Let one test run at a time install."""
    with open(path, 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(path):
    if not os.path.exists(path):
        return None
    with open(path) as source:
        return source.read()
