# SPDX-License-Identifier: Apache-2.0

"""Base of the tests of consumers, with shared environments."""

import contextlib
import itertools

import testtools

from tests.consumers import cases
from tests.consumers import environments
from tests.consumers import guard_situations
from tests.consumers import scenarios
from tests.harness import class_fixtures
from tests.harness import logs
from tests.harness import waiting

_numbers = itertools.count(1)


class ConsumerTestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """Its tests use one Heat, each a project of its own.

    :cvar overlay: the setting ``status_overlay``
    :cvar consumer: who operates on the stacks
    :cvar is_real: with Keystone and Heat as processes of their own, and that
        setting as it is shipped
    """

    overlay = 'off'
    consumer = None
    is_real = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.environment = cls.use_in_class(cls.make_environment())

    @classmethod
    def make_environment(cls):
        return (environments.KeystoneEnvironment() if cls.is_real
                else environments.SandboxEnvironment(cls.overlay))

    def setUp(self):
        super().setUp()
        self.addDetail('heat.log', logs.file_content(
            self.environment.log_path))

    def project(self):
        return f'case-{next(_numbers)}'

    def run_case(self, situation, operation):
        """Run a case of the matrix, and return its result."""
        return cases.run(self.environment, self.consumer,
                         guard_situations.BY_NAME[situation], operation,
                         self.project())

    @contextlib.contextmanager
    def operating(self, scenario):
        """Let the consumer run the operation of a scenario."""
        with cases.running(self.consumer, scenario) as running:
            yield running

    def stack(self, operation):
        """Create a stack for an operation."""
        scenario = scenarios.Scenario(self.environment, self.project(),
                                      operation)
        scenario.create()
        self.addCleanup(self._remove, scenario)
        return scenario

    def _remove(self, scenario):
        """Delete the stack, so that its name can be used again."""
        scenario.act('unlock')
        scenario.owner.wait_for_end(scenario.path)
        scenario.owner.delete(scenario.path)
        # The name is available shortly after DELETE_COMPLETE.
        waiting.until_equal(
            'the name to be free', 404, lambda: scenario.owner.get(
                f'/stacks/{scenarios.NAME}').status_code)
