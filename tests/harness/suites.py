# SPDX-License-Identifier: Apache-2.0

"""What packages of tests make of what unittest finds in them."""

import os
import unittest


def each(suite):
    """Take a suite, and the suites in it, apart; yield each test."""
    if not isinstance(suite, unittest.TestSuite):
        yield suite
        return
    for part in suite:
        yield from each(part)


def by_heat(package, loader, tests, pattern):
    """Find the tests of a package, as unittest asks each package.

    They come in an order in which a process starts as few Heats as it can.

    :param package: the path of its ``__init__.py``
    """
    found = loader.discover(os.path.dirname(package), pattern)
    tests.addTests(sorted(each(found), key=_heat_of))
    return tests


def of_kinds(package, loader, tests, pattern):
    """Find the tests of a package, as unittest asks each package.

    What stands in a class without a kind of Heat is there to be inherited.

    :param package: the path of its ``__init__.py``
    """
    found = loader.discover(os.path.dirname(package), pattern)
    tests.addTests(test for test in each(found)
                   if getattr(test, 'kind', '') is not None)
    return tests


def _heat_of(test):
    kind = type(test)
    wanted = [getattr(kind, name, None)
              for name in ('is_shared', 'options', 'settings')]
    return repr(wanted), kind.__module__, kind.__qualname__
