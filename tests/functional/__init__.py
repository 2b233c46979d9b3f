# SPDX-License-Identifier: Apache-2.0

"""Tests of a running Heat. Tests with the same settings share a Heat."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.by_heat, __file__)
