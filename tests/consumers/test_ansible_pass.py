# SPDX-License-Identifier: Apache-2.0

"""Ansible uses a lock pass without a change of its playbook."""

from tests.consumers import base
from tests.consumers import cases
from tests.consumers import consumers
from tests.consumers import guard_situations
from tests.consumers import scenarios
from tests.harness import waiting


class AnsiblePassTest(base.ConsumerTestCase):
    consumer = consumers.Ansible()

    def _locked(self, operation):
        scenario = self.stack(operation)
        guard_situations.let_pass(scenario)
        return scenario

    def _run_playbook(self, scenario):
        with self.operating(scenario) as running:
            outcome = running.wait(scenario.is_over)
        self.assertNotEqual(cases.SILENCE, outcome, running.said())
        return outcome, running.said()

    def _assert_locked_again(self, scenario, lock_id):
        stack = waiting.until(
            'the lock to hold again', lambda: scenario.owner.show_stack(
                scenarios.NAME), lambda stack: stack['lock_pass'] is None)
        self.assertEqual(('stacks', lock_id, 'db move'), (
            stack['lock_level'], stack['lock_id'], stack['lock_reason']))
        answer = scenario.owner.delete(scenario.path)
        self.assertEqual(409, answer.status_code, answer.text)

    def _value(self, scenario):
        return scenario.owner.show_stack(scenarios.NAME)['parameters']['value']

    def test_update_uses_pass_and_stack_is_locked_again(self):
        scenario = self._locked(scenarios.UPDATE)
        lock_id = scenario.owner.show_stack(scenarios.NAME)['lock_id']
        outcome, output = self._run_playbook(scenario)
        self.assertEqual((cases.SUCCESS, scenarios.DONE),
                         (outcome, scenario.outcome()), output)
        self.assertIn('changed', output)
        self.assertEqual('two', self._value(scenario))
        self._assert_locked_again(scenario, lock_id)

    def test_failed_update_is_rolled_back_and_stack_locked_again(self):
        scenario = self._locked(scenarios.BAD_UPDATE)
        lock_id = scenario.owner.show_stack(scenarios.NAME)['lock_id']
        self._run_playbook(scenario)
        self.assertEqual(scenarios.ROLLED_BACK, scenario.outcome())
        self.assertEqual('one', self._value(scenario))
        self._assert_locked_again(scenario, lock_id)

    def test_second_update_is_rejected(self):
        scenario = self._locked(scenarios.UPDATE)
        self._run_playbook(scenario)
        scenario.outcome()
        waiting.until('the lock to hold again',
                      lambda: scenario.owner.show_stack(scenarios.NAME),
                      lambda stack: stack['lock_pass'] is None)
        outcome, output = self._run_playbook(scenario)
        self.assertEqual(cases.FAILURE, outcome, output)
        self.assertIn('is locked (level stacks) by alice', output)

    def test_update_without_pass_is_rejected(self):
        scenario = self.stack(scenarios.UPDATE)
        guard_situations.lock(scenario)
        outcome, output = self._run_playbook(scenario)
        self.assertEqual((cases.FAILURE, scenarios.NOTHING),
                         (outcome, scenario.outcome()), output)
        self.assertIn('is locked (level stacks) by alice', output)
