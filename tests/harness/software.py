# SPDX-License-Identifier: Apache-2.0

"""Software of other projects, in virtual environments that are reused."""

import contextlib
import fcntl
import hashlib
import os
import sys

from tests.harness import command

INSTALL_SECONDS = 900

# Written last: without it, the installation is incomplete.
_STAMP = 'heat-extras-cloud'


class Software:
    """A list of packages in a separate virtual environment.

    :param name: of its directory in the user's cache.
    :param place: the environment variable that names another directory.
    :param requirements: paths of the lists; the first is installed.
    """

    def __init__(self, name, place, *requirements):
        cache = (os.environ.get('XDG_CACHE_HOME')
                 or os.path.expanduser('~/.cache'))
        self.requirements = requirements
        self._place = os.path.abspath(os.environ.get(place) or os.path.join(
            cache, 'heat-extras', name))

    def environment(self):
        """Install it, unless it is; return the place.

        :raises tests.harness.command.Failed: with the end of what pip said.
        """
        stamp = os.path.join(self._place, _STAMP)
        os.makedirs(os.path.dirname(self._place), exist_ok=True)
        with _exclusive(self._place + '.lock'):
            if _read(stamp) != self._fingerprint():
                self.install(self._place)
                with open(stamp, 'w') as target:
                    target.write(self._fingerprint())
        return self._place

    def install(self, place):
        """Make the environment; another kind does more."""
        # --clear also empties what an older list has left behind.
        command.check([sys.executable, '-m', 'venv', '--clear', place])
        # Most of it is never imported.
        self.pip(place, 'install', '--no-compile', '-r', self.requirements[0])

    def pip(self, place, *arguments):
        command.check(
            [os.path.join(place, 'bin', 'python'), '-m', 'pip',
             '--disable-pip-version-check', *arguments],
            seconds=INSTALL_SECONDS)

    def _fingerprint(self):
        text = '\n'.join([str(sys.version_info[:2]),
                          *map(_read, self.requirements)])
        return hashlib.sha256(text.encode()).hexdigest()


def releases(place, *packages):
    """Return which releases of some packages are installed in a place."""
    return command.check([
        os.path.join(place, 'bin', 'python'), '-c',
        'import sys; from importlib import metadata; '
        'print(", ".join(f"{each} {metadata.version(each)}" '
        'for each in sys.argv[1:]))', *packages]).strip()


def services():
    """Return the services of a cloud, which one place has."""
    return Software(
        'cloud-venv', 'HEAT_EXTRAS_CLOUD_VENV', os.path.join(
            os.path.dirname(__file__), 'cloud', 'requirements.txt'))


@contextlib.contextmanager
def _exclusive(path):
    """Allow only one test run at a time to install."""
    with open(path, 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(path):
    if not os.path.exists(path):
        return None
    with open(path) as source:
        return source.read()
