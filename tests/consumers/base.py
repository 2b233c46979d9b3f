# SPDX-License-Identifier: Apache-2.0

"""Base of the tests of consumers, with shared environments."""

import contextlib
import itertools

import testtools

from tests.consumers import cases
from tests.consumers import consumers
from tests.consumers import scenarios
from tests.harness import class_fixtures
from tests.harness import logs
from tests.harness import waiting

_numbers = itertools.count(1)


class ConsumerTestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """Its tests use one Heat, each a project of its own.

    :cvar consumer: who operates on the stacks
    """

    consumer = consumers.Consumer()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.environment = cls.use_in_class(cls.consumer.environment())

    def setUp(self):
        super().setUp()
        self.addDetail('heat.log', logs.file_content(
            self.environment.log_path))

    def project(self):
        return f'case-{next(_numbers)}'

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
