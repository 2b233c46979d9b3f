# SPDX-License-Identifier: Apache-2.0

"""The same promises with Heat's legacy engine, which works under StackLock.

``convergence_engine = false``: no traversals, no compare-and-swap of stacks.
"""

from tests.functional import test_stack_lock

SETTINGS = '[DEFAULT]\nconvergence_engine = false\n'


class LegacyLockTest(test_stack_lock.LockTest):
    settings = SETTINGS


class LegacyRequestTest(test_stack_lock.RequestTest):
    settings = SETTINGS


class LegacyRefusalTest(test_stack_lock.RefusalTest):
    settings = SETTINGS


class LegacySuspendedTest(test_stack_lock.SuspendedTest):
    settings = SETTINGS


class LegacyNestedTest(test_stack_lock.NestedTest):
    settings = SETTINGS
