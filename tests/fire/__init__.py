# SPDX-License-Identifier: Apache-2.0

"""Tests of a cloud of which one part after the other fails."""

import os

from tests.rigs import suites


def load_tests(loader, tests, pattern):
    """Find the tests of this package, as unittest asks each package.

    What stands in a class without a kind of Heat is there to be inherited.
    """
    found = loader.discover(os.path.dirname(__file__), pattern)
    tests.addTests(test for test in suites.each(found)
                   if getattr(test, 'kind', '') is not None)
    return tests
