# SPDX-License-Identifier: Apache-2.0

"""Stress tests of lock passes, on a sandbox."""

from tests.functional import base as functional
from tests.functional import lifecycle_base
from tests.stress import lock_pass_tests
from tests.stress import test_sandbox


class ConvergenceTest(lock_pass_tests.LockPassStressTests,
                      test_sandbox.SandboxTestCase):
    """Stress tests with Heat's default engine."""

    settings = '[DEFAULT]\nperiodic_interval = 1\n'

    @property
    def holder(self):
        return self.sandbox.client('bob')


class LegacyTest(ConvergenceTest):
    """Stress tests with Heat's legacy engine."""

    settings = functional.LEGACY + 'periodic_interval = 1\n'


class PluginsTest(ConvergenceTest):
    """Stress tests with pre and post calls of plugins."""

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(lifecycle_base.Plugins())
        super().setUpClass()
