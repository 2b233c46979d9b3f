# SPDX-License-Identifier: Apache-2.0

"""Tests of a cloud with injected faults."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.of_kinds, __file__)
