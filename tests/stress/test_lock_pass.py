# SPDX-License-Identifier: Apache-2.0

"""Stress tests of lock passes, on a sandbox."""

from tests.functional import base as functional
from tests.functional import lifecycle_base
from tests.stress import lock_pass_tests
from tests.stress import test_sandbox


class ConvergenceTest(lock_pass_tests.LockPassStressTests,
                      test_sandbox.SandboxTestCase):
    """With Heat's default engine."""

    settings = '[DEFAULT]\nperiodic_interval = 1\n'

    @property
    def holder(self):
        return self.sandbox.client('bob')


class LegacyTest(ConvergenceTest):
    """With the engine before convergence."""

    settings = functional.LEGACY + 'periodic_interval = 1\n'


class PluginsTest(ConvergenceTest):
    """With plugins that are asked before and after each operation."""

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(lifecycle_base.Plugins())
        super().setUpClass()
