# SPDX-License-Identifier: Apache-2.0

"""A program in Go that uses gophercloud.

Go comes from PyPI. No registry reliably provides the sources, so the tests use
the path in which Go finds packages. ``golang.sources`` lists the versions that
were in this path.
"""

import functools
import os

from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_SOURCES = os.path.join(_HERE, 'golang.sources')
_PATH = 'HEAT_EXTRAS_GOPATH'
# The time to build it on a busy machine.
_SECONDS = 900


@functools.cache
def place():
    """Return the directory of Go; install it if needed."""
    return software.Software('go-venv', 'HEAT_EXTRAS_GO_VENV',
                             os.path.join(_HERE, 'golang.txt')).environment()


@functools.cache
def built(name):
    """Build a program of ``programs/``, and return its path."""
    path = os.path.join(place(), 'built', name)
    command.check(
        [os.path.join(place(), 'bin', 'go'), 'build', '-p', '1', '-o', path,
         '.'], seconds=_SECONDS,
        directory=os.path.join(_HERE, 'programs', name),
        environment={**os.environ, 'GOPATH': _sources(), 'GOFLAGS': '',
                     'GOTOOLCHAIN': 'local', 'GO111MODULE': 'off'})
    return path


def _sources():
    if _PATH not in os.environ:
        raise AssertionError(
            f'Programs in Go need the sources that {_SOURCES} lists: name the '
            f'directories that have them below src/ in {_PATH}')
    return os.environ[_PATH]
