# SPDX-License-Identifier: Apache-2.0

"""Programs in Go: gophercloud, and Terraform's provider that is made of it.

Go comes from PyPI. No registry reliably provides the sources, so the tests use
the path in which Go finds packages. ``golang.sources`` lists the versions that
were in this path.
"""

import functools
import os
import re
import threading

from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_SOURCES = os.path.join(_HERE, 'golang.sources')
_PATH = 'HEAT_EXTRAS_GOPATH'
# The time to build Terraform's provider on a busy machine.
_SECONDS = 1800
# Several cases need it at the same time.
_LOCK = threading.Lock()


@functools.cache
def place():
    """Return the directory of Go; install it if needed."""
    return software.Software('go-venv', 'HEAT_EXTRAS_GO_VENV',
                             os.path.join(_HERE, 'golang.txt')).environment()


def built(name):
    """Build a program of ``programs/``, and return its path."""
    with _LOCK:
        return _built(name)


@functools.cache
def _built(name):
    path = os.path.join(place(), 'built', name)
    command.check(
        [os.path.join(place(), 'bin', 'go'), 'build', '-p', '1', '-o', path,
         '.'], seconds=_SECONDS,
        directory=os.path.join(_HERE, 'programs', name),
        environment={**os.environ, 'GOPATH': _sources(), 'GOFLAGS': '',
                     'GOTOOLCHAIN': 'local', 'GO111MODULE': 'off'})
    return path


def release(package):
    """Return the release of a package in ``golang.sources``."""
    with open(_SOURCES) as source:
        match = re.search(rf'^{re.escape(package)}\s+(\S+)$', source.read(),
                          re.M)
    return match.group(1)


def _sources():
    if _PATH not in os.environ:
        raise AssertionError(
            f'Programs in Go need the sources that {_SOURCES} lists: name the '
            f'directories that have them below src/ in {_PATH}')
    return os.environ[_PATH]
