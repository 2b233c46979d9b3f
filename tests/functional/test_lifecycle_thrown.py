# SPDX-License-Identifier: Apache-2.0

"""Whatever a plugin raises, it is an error of that plugin alone."""

from tests.functional import base
from tests.functional import lifecycle
from tests.functional import lifecycle_thrown


class ConvergenceTest(lifecycle_thrown.Thrown):
    thrown = (lifecycle_thrown.THROWN
              + (lifecycle_thrown.GREEN if lifecycle.has_green_threads()
                 else ()))


class LegacyTest(lifecycle_thrown.Thrown):
    settings = base.LEGACY


class NoTimeoutTest(lifecycle_thrown.Thrown):
    """A call without a timeout is on its own, too."""

    settings = '[heat_extras]\nlifecycle_timeout = 0\n'
    thrown = lifecycle_thrown.THROWN[:1]
