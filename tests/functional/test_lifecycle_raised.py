# SPDX-License-Identifier: Apache-2.0

"""Whatever a plugin raises, it is an error of that plugin alone."""

from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import lifecycle_raised


class ConvergenceTest(lifecycle_raised.Thrown):
    thrown = (lifecycle_raised.THROWN
              + (lifecycle_raised.GREEN if lifecycle_base.has_green_threads()
                 else ()))


class LegacyTest(lifecycle_raised.Thrown):
    settings = base.LEGACY


class NoTimeoutTest(lifecycle_raised.Thrown):
    """A call without a timeout is on its own, too."""

    settings = '[heat_extras]\nlifecycle_timeout = 0\n'
    thrown = lifecycle_raised.THROWN[:1]
