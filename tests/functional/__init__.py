# SPDX-License-Identifier: Apache-2.0

"""Tests of a whole Heat; those that can use the same one come together."""

import os

from tests.rigs import suites


def load_tests(loader, tests, pattern):
    """Find the tests of this package, as unittest asks each package.

    They come in an order in which a process starts as few Heats as it can.
    """
    found = loader.discover(os.path.dirname(__file__), pattern)
    tests.addTests(sorted(suites.each(found), key=_heat_of))
    return tests


def _heat_of(test):
    kind = type(test)
    wanted = [getattr(kind, name, None)
              for name in ('is_shared', 'options', 'settings')]
    return repr(wanted), kind.__module__, kind.__qualname__
