# SPDX-License-Identifier: Apache-2.0

"""Tests of the stack lock with Heat's legacy engine.

``convergence_engine = false``: no traversals, no compare-and-swap of stacks.
"""

from tests.functional import base
from tests.functional import test_stack_lock


class LegacyLockTest(test_stack_lock.LockTest):
    settings = base.LEGACY


class LegacyRequestTest(test_stack_lock.RequestTest):
    settings = base.LEGACY


class LegacyRejectionTest(test_stack_lock.RejectionTest):
    settings = base.LEGACY


class LegacySuspendedTest(test_stack_lock.SuspendedTest):
    settings = base.LEGACY


class LegacyNestedTest(test_stack_lock.NestedTest):
    settings = base.LEGACY
