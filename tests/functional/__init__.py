# SPDX-License-Identifier: Apache-2.0

"""Tests of a whole Heat; those that can use the same one come together."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.by_heat, __file__)
