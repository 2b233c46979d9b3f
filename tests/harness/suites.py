# SPDX-License-Identifier: Apache-2.0

"""Order and selection of the tests that unittest finds in packages."""

import configparser
import io
import os
import unittest


def each(suite):
    """Yield each test of a suite and of its nested suites."""
    if not isinstance(suite, unittest.TestSuite):
        yield suite
        return
    for part in suite:
        yield from each(part)


def by_heat(package, loader, tests, pattern):
    """Find the tests of a package, as unittest asks each package.

    Their order minimizes the number of Heats that a process starts.

    :param package: the path of its ``__init__.py``
    """
    suite = loader.discover(os.path.dirname(package), pattern)
    tests.addTests(sorted(each(suite), key=_heat_of))
    return tests


def of_kinds(package, loader, tests, pattern):
    """Find the tests of a package, as unittest asks each package.

    Tests in a class without a kind of Heat are only inherited.

    :param package: the path of its ``__init__.py``
    """
    suite = loader.discover(os.path.dirname(package), pattern)
    tests.addTests(test for test in each(suite)
                   if getattr(test, 'kind', '') is not None)
    return tests


def merged(*texts):
    """Merge configuration files: where an option repeats, the last counts."""
    parser = configparser.ConfigParser(
        strict=False, interpolation=None, default_section='none')
    parser.optionxform = str
    for text in texts:
        parser.read_string(text or '')
    target = io.StringIO()
    for section in sorted(parser.sections()):
        target.write(f'[{section}]\n')
        target.writelines(f'{name} = {value}\n' for name, value
                          in sorted(parser.items(section)))
    return target.getvalue()


def heat_of(kind):
    """Return the Heat that a class of tests needs, or None.

    Classes with the same answer can share one.
    """
    return kind.wanted_heat() if hasattr(kind, 'wanted_heat') else None


def _heat_of(test):
    kind = type(test)
    return repr(heat_of(kind)), kind.__module__, kind.__qualname__
