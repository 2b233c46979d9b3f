# SPDX-License-Identifier: Apache-2.0

"""Tests of several engines as processes of their own."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.of_kinds, __file__)
