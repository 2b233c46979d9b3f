# SPDX-License-Identifier: Apache-2.0

"""Pin what was installed where the tests passed, as constraints for pip.

    python tools/constraints.py --write constraints/heat27.0.txt .tox/unpinned

reads the distributions of one or more virtual environments. A version that
does not support each Python of ``setup.cfg`` gets a marker, so that pip
chooses another version there. ``--compare FILE`` prints what differs from a
file instead.
"""

import argparse
import configparser
import difflib
from importlib import metadata
import pathlib
import sys

from packaging import specifiers
from packaging import utils

ROOT = pathlib.Path(__file__).resolve().parent.parent
# This checkout, and the program that installs.
LEFT_OUT = {'heat-extras', 'pip'}

_HEAD = """\
# Versions that the tests run with on Python {python}. Made by
# tools/constraints.py, do not edit. CONTRIBUTING.rst says when to renew it.
"""


def supported_pythons():
    """List the versions of Python that heat-extras supports, oldest first."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / 'setup.cfg')
    versions = [line.rpartition(' ')[2]
                for line in setup['metadata']['classifiers'].splitlines()
                if line.startswith('Programming Language :: Python :: 3.')]
    return sorted(versions, key=lambda text: int(text.partition('.')[2]))


def pin(name, version, requires_python):
    """Return the line of a distribution.

    :param requires_python: as its metadata has it; None for any
    """
    allowed = specifiers.SpecifierSet(requires_python or '')
    oldest, *newer = supported_pythons()
    # Any patch release of it will do.
    if allowed.contains(f'{oldest}.99'):
        return f'{name}=={version}'
    first = next(python for python in newer
                 if allowed.contains(f'{python}.99'))
    return f'{name}=={version}; python_version >= "{first}"'


def read(environments):
    """Return the lines of virtual environments, sorted.

    :param environments: their paths
    :raises SystemExit: if two have different versions of a distribution
    """
    versions = {}
    for environment in environments:
        for each in metadata.distributions(
                path=map(str, environment.glob('lib/python*/site-packages'))):
            name = utils.canonicalize_name(each.metadata['Name'])
            line = pin(name, each.version, each.metadata['Requires-Python'])
            if versions.setdefault(name, line) != line:
                sys.exit(f'{environment} has {line}, and another environment '
                         f'has {versions[name]}: recreate the older one.')
    if not versions:
        sys.exit('These environments do not contain any distribution.')
    return [versions[name] for name in sorted(versions)
            if name not in LEFT_OUT]


def compare(path, lines):
    """Print what differs from a file of constraints."""
    pinned = [line for line in path.read_text().splitlines() if '==' in line]
    for line in difflib.unified_diff(pinned, lines, str(path), 'installed',
                                     n=0, lineterm=''):
        print(line)


def main():
    """Write or print the constraints, or compare them with a file."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('environments', nargs='+', type=pathlib.Path)
    parser.add_argument('--write', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--compare', type=pathlib.Path, metavar='FILE')
    args = parser.parse_args()
    lines = read(args.environments)
    if args.compare:
        return compare(args.compare, lines)
    python = next(args.environments[0].glob('lib/python*')).name[6:]
    text = '\n'.join([_HEAD.format(python=python), *lines, ''])
    if args.write:
        args.write.write_text(text)
    else:
        print(text, end='')


if __name__ == '__main__':
    main()
