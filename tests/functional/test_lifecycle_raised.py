# SPDX-License-Identifier: Apache-2.0

"""Tests of plugins that raise exceptions."""

from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import lifecycle_raised


class ConvergenceTest(lifecycle_raised.RaisedErrors):
    thrown = (lifecycle_raised.THROWN
              + (lifecycle_raised.GREEN if lifecycle_base.has_green_threads()
                 else ()))


class LegacyTest(lifecycle_raised.RaisedErrors):
    settings = base.LEGACY


class NoTimeoutTest(lifecycle_raised.RaisedErrors):
    """A call without a timeout is also isolated."""

    settings = '[heat_extras]\nlifecycle_timeout = 0\n'
    thrown = lifecycle_raised.THROWN[:1]
