# SPDX-License-Identifier: Apache-2.0

"""Stress tests on a sandbox, with convergence and without."""

import os

from heat_extras.sandbox import state_directory
from tests.functional import base as functional
from tests.functional import lifecycle_base
from tests.stress import base
from tests.stress import runner
from tests.stress import templates


class SandboxTestCase(functional.TestCase):
    """A stress test on a sandbox."""

    is_shared = False

    @property
    def cloud_client(self):
        return self.client

    @property
    def database_url(self):
        return 'sqlite:///' + os.path.join(self.sandbox.state_dir,
                                           state_directory.DATABASE_FILE)


class ConvergenceTest(base.StressTests, SandboxTestCase):
    """Stress tests with Heat's default engine."""


class LevelAllTest(ConvergenceTest):
    """Stress tests with locks of level ``all``."""

    level, tree = runner.ALL, templates.PROTECTED_TREE


class LegacyTest(base.StressTests, SandboxTestCase):
    """Stress tests with Heat's legacy engine."""

    settings = functional.LEGACY


class PluginsTest(ConvergenceTest):
    """Stress tests with pre and post calls of plugins."""

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(lifecycle_base.Plugins())
        super().setUpClass()
