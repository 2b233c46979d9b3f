# SPDX-License-Identifier: Apache-2.0

"""How many cases there are, and that they are the same each time.

``HEAT_EXTRAS_FUZZ_CASES`` are shared out among the tests by their parts of the
whole; ``HEAT_EXTRAS_FUZZ_SEED`` gives other cases.
"""

import os

import hypothesis

CASES = int(os.environ.get('HEAT_EXTRAS_FUZZ_CASES') or 2000)
SEED = int(os.environ.get('HEAT_EXTRAS_FUZZ_SEED') or 19)


def cases(percent):
    """Decorate a test that gets a part of all cases.

    :param percent: how many of a hundred.
    """
    settings = hypothesis.settings(
        max_examples=max(1, CASES * percent // 100), deadline=None,
        # What was found stands in a test; nothing is written beside it.
        database=None, print_blob=True,
        suppress_health_check=list(hypothesis.HealthCheck))

    def decorate(test):
        return hypothesis.seed(SEED)(settings(test))
    return decorate
