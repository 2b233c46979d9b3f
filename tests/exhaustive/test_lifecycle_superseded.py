# SPDX-License-Identifier: Apache-2.0

"""Plugins are called exactly once after any end of an operation."""

from tests.functional import base
from tests.functional import lifecycle_superseded


class ConvergenceTest(lifecycle_superseded.Deletes,
                      lifecycle_superseded.Abandons):
    pass


class LegacyTest(lifecycle_superseded.Deletes, lifecycle_superseded.Kills):
    # How long the legacy engine waits for a thread is this and ten seconds.
    settings = base.LEGACY + 'error_wait_time = 1\n'
