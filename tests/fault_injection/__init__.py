# SPDX-License-Identifier: Apache-2.0

"""Tests of a cloud of which one part after the other fails."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.of_kinds, __file__)
