# SPDX-License-Identifier: Apache-2.0

"""The machine and software of a measurement, and its load."""

from importlib import metadata
import os
import platform
import shutil
import subprocess
import time

_DISTRIBUTIONS = {'heat-extras': 'heat-extras', 'openstack-heat': 'Heat',
                  'SQLAlchemy': 'SQLAlchemy'}


def load_averages() -> str:
    """Return the load averages, like uptime."""
    return ', '.join('%.1f' % value for value in os.getloadavg())


def versions() -> str:
    """Return the names of the measured software."""
    installed = ['%s %s' % (name, metadata.version(distribution))
                 for distribution, name in _DISTRIBUTIONS.items()]
    installed.append('Python ' + platform.python_version())
    mariadb = shutil.which('mariadbd', path='/usr/sbin:' + os.environ['PATH'])
    if mariadb:
        words = subprocess.run([mariadb, '--version'], text=True,
                               capture_output=True).stdout.split()
        installed.append('MariaDB ' + words[words.index('Ver') + 1])
    return ', '.join(installed)


class RunEnvironment:
    """Record the time and load at the start, and report them at the end."""

    def __init__(self):
        self._started = time.time()
        self._load = load_averages()

    def describe(self, plan_name) -> str:
        """Describe how the values were measured.

        :param plan_name: ``full`` or ``quick``.
        """
        minutes = (time.time() - self._started) / 60
        text = ('Measured on %s UTC in %.0f minutes (%s run) on %d '
                'processors: %s. Load averages over 1, 5 and 15 minutes: %s '
                'before, %s after.' % (
                    time.strftime('%Y-%m-%d %H:%M',
                                  time.gmtime(self._started)),
                    minutes, plan_name, os.cpu_count(), versions(),
                    self._load, load_averages()))
        if plan_name == 'quick':
            text += (' A quick run only shows that the benchmark works; its '
                     'figures mean nothing.')
        return text
