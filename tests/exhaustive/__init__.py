# SPDX-License-Identifier: Apache-2.0

"""Long tables of cases on a whole Heat, in the same order as others."""

import functools

from tests.harness import suites

load_tests = functools.partial(suites.by_heat, __file__)
