# SPDX-License-Identifier: Apache-2.0

"""Operations of Tacker that a lock rejected, and their end."""

from tests.consumers import base
from tests.consumers import consumers
from tests.consumers import guard_situations
from tests.consumers import scenarios
from tests.consumers import vnfm
from tests.harness import command

# The time of all steps of Tacker on a busy machine.
_SECONDS = 600


class TackerRejectedOperationTest(base.ConsumerTestCase):
    consumer = consumers.BY_NAME['tacker-server']

    @classmethod
    def make_environment(cls):
        return vnfm.Environment(cls.overlay)

    def _vnf(self):
        scenario = vnfm.Scenario(self.environment, self.project(),
                                 scenarios.UPDATE)
        scenario.create()
        return scenario

    def _ask(self, scenario, operation):
        """Request an operation; return its success and its output."""
        done = command.run(
            vnfm.words(scenario, operation), seconds=_SECONDS,
            environment=self.environment.os_environ(scenario.project))
        return done.returncode == 0, done.stdout + done.stderr

    def _assert_done(self, scenario, operation):
        is_done, output = self._ask(scenario, operation)
        self.assertTrue(is_done, output)

    def _assert_refused(self, scenario, operation, *words):
        is_done, output = self._ask(scenario, operation)
        self.assertFalse(is_done, output)
        for word in words:
            self.assertIn(word, output)

    def _unlock(self, scenario):
        scenario.act('unlock')
        scenario.owner.wait_for_end(scenario.path)

    def _value(self, scenario):
        return scenario.owner.get(
            f'{scenario.path}/resources/web').json()['resource']['attributes'][
            'output']

    def test_retry_succeeds_after_unlock(self):
        scenario = self._vnf()
        guard_situations.lock()(scenario)
        self._assert_refused(scenario, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_refused(scenario, 'retry', 'FAILED_TEMP', 'is locked')
        self._unlock(scenario)
        self._assert_done(scenario, 'retry')
        self.assertEqual('two', self._value(scenario))

    def test_other_operations_are_rejected_until_fail_is_sent(self):
        scenario = self._vnf()
        guard_situations.lock()(scenario)
        self._assert_refused(scenario, 'update', 'FAILED_TEMP', 'is locked')
        self._unlock(scenario)
        self._assert_refused(scenario, 'update', 'in progress')
        self._assert_refused(scenario, 'delete', 'in progress')
        self._assert_done(scenario, 'fail')
        self._assert_done(scenario, 'update')

    def test_rollback_is_rejected_until_unlock(self):
        scenario = self._vnf()
        guard_situations.lock()(scenario)
        self._assert_refused(scenario, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_refused(scenario, 'rollback', 'FAILED_TEMP', 'is locked')
        self._unlock(scenario)
        self._assert_done(scenario, 'rollback')
        self.assertEqual('one', self._value(scenario))

    def test_rejected_update_can_be_failed_while_locked(self):
        scenario = self._vnf()
        guard_situations.lock()(scenario)
        self._assert_refused(scenario, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_done(scenario, 'fail')
        self._unlock(scenario)
        self._assert_done(scenario, 'update')

    def test_termination_can_be_retried_after_unprotect(self):
        scenario = self._vnf()
        guard_situations.protect(scenario)
        self._assert_refused(scenario, 'delete', 'FAILED_TEMP',
                             'is protected from deletion')
        scenario.act('unprotect')
        self._assert_done(scenario, 'retry')
        self.assertFalse(self._is_there(scenario))

    def test_rejected_heal_keeps_resources_of_locked_stack(self):
        scenario = self._vnf()
        text = self._resource(scenario, 'text')
        guard_situations.lock()(scenario)
        self._assert_refused(scenario, 'heal', 'FAILED_TEMP', 'is locked')
        self.assertEqual(text, self._resource(scenario, 'text'))
        self._unlock(scenario)
        self._assert_done(scenario, 'retry')
        # Tacker has created another stack.
        self.assertFalse(self._is_there(scenario))

    def _is_there(self, scenario):
        """Return whether the stack of that name is still the same."""
        _, _, name, stack_id = scenario.path.split('/')
        answer = scenario.owner.get(f'/stacks/{name}')
        return (answer.status_code == 200
                and answer.json()['stack']['id'] == stack_id)

    def _resource(self, scenario, name):
        return scenario.owner.get(f'{scenario.path}/resources/{name}').json()[
            'resource']['physical_resource_id']
