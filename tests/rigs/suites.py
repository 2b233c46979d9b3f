# SPDX-License-Identifier: Apache-2.0

"""What packages of tests make of what unittest finds in them."""

import unittest


def each(suite):
    """Take a suite, and the suites in it, apart; yield each test."""
    if not isinstance(suite, unittest.TestSuite):
        yield suite
        return
    for part in suite:
        yield from each(part)
