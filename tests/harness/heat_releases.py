# SPDX-License-Identifier: Apache-2.0

"""Other releases of Heat, each with heat-extras in a virtual environment."""

import os
import pathlib
import sys

from heat import version as heat_version

from tests.harness import command
from tests.harness import software

ROOT = pathlib.Path(__file__).parents[2]
# The database drivers that the test environment also has.
_DRIVERS = ('PyMySQL>=1.0', 'psycopg2-binary>=2.9')

#: The supported releases.
RELEASES = ('24.1', '25.0', '26.0', '27.0')


class Heat(software.Software):
    """A release of Heat with the heat-extras of this checkout.

    The environment is inside that of the tests: these belong to one checkout,
    too.

    :param release: one of :data:`RELEASES`
    """

    def __init__(self, release):
        super().__init__(
            f'heat{release}', 'HEAT_EXTRAS_OTHER_HEAT',
            *(ROOT / name for name in (
                'setup.cfg', 'requirements.txt', 'engine-requirements.txt')))
        self._release = release
        self._place = os.path.join(sys.prefix, f'heat{release}')

    def install(self, place):
        command.check([sys.executable, '-m', 'venv', '--clear', place])
        self.pip(place, 'install', '--quiet', '--no-compile',
                 f'openstack-heat~={self._release}.0', *_DRIVERS,
                 '--editable', f'{ROOT}[engine]')


def own():
    """Return the release of Heat in the test environment."""
    major = heat_version.version_info.version_string().partition('.')[0]
    return next(release for release in RELEASES
                if release.startswith(major + '.'))


def programs(release):
    """Install a release, and return the directory of its programs."""
    if release == own():
        return command.BIN
    return os.path.join(Heat(release).environment(), 'bin')
