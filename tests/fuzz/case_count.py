# SPDX-License-Identifier: Apache-2.0

"""The number of cases, and the same cases in each run.

Constants are an exception: hypothesis tries the constants of imported modules,
so other imports of the process change the cases.

``HEAT_EXTRAS_FUZZ_CASES`` is distributed among the tests by their shares.
``HEAT_EXTRAS_FUZZ_SEED`` selects other cases.
"""

import os

import hypothesis
from hypothesis import strategies as st

CASES = int(os.environ.get('HEAT_EXTRAS_FUZZ_CASES') or 2000)
SEED = int(os.environ.get('HEAT_EXTRAS_FUZZ_SEED') or 19)


def first(count, *strategies):
    """List some cases, the same in each run, for tests of the tests."""
    failures = []

    @hypothesis.seed(19)
    @hypothesis.settings(
        max_examples=count, database=None, deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.tuples(*strategies))
    def draw(case):
        failures.append(case)

    draw()
    return failures


def cases(percent):
    """Decorate a test that gets a share of all cases.

    :param percent: the share in percent.
    """
    settings = hypothesis.settings(
        max_examples=max(1, CASES * percent // 100), deadline=None,
        # Write no files: found cases become tests.
        database=None, print_blob=True,
        suppress_health_check=list(hypothesis.HealthCheck))

    def decorate(test):
        return hypothesis.seed(SEED)(settings(test))
    return decorate
