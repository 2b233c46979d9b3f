# SPDX-License-Identifier: Apache-2.0

"""pkgcloud, a library for Node, from npm."""

import functools
import json
import os
import shutil

from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'pkgcloud_stacks.js')


class NodeSoftware(software.Software):
    """Packages of npm in a separate directory."""

    def install(self, place):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        with open(self.requirements[0]) as source:
            command.check(
                ['npm', 'install', '--silent', '--no-audit', '--prefix',
                 place, *source.read().split()],
                seconds=software.INSTALL_SECONDS)


@functools.cache
def place():
    """Return the directory of pkgcloud; install it if needed."""
    return os.path.join(NodeSoftware(
        'pkgcloud', 'HEAT_EXTRAS_PKGCLOUD', os.path.join(
            _HERE, 'pkgcloud.txt')).environment(), 'node_modules')


def release():
    """Return the release that runs."""
    with open(os.path.join(place(), 'pkgcloud', 'package.json')) as source:
        return json.load(source)['version']


def words():
    """Return the command that runs operations, without the operation."""
    return ['node', _PROGRAM]


def environment():
    """Return the environment variables by which Node finds the library."""
    return {'NODE_PATH': place()}
