# SPDX-License-Identifier: Apache-2.0

"""A pass through a lock that Ansible uses, with no word in its playbook."""

from tests.consumers import base
from tests.consumers import cells
from tests.consumers import consumers
from tests.consumers import scenarios
from tests.consumers import situations
from tests.harness import waiting


class AnsiblePassTest(base.ConsumerTestCase):
    consumer = consumers.BY_NAME['ansible']

    def _locked(self, operation):
        scene = self.stack(operation)
        situations.let_pass(scene)
        return scene

    def _play(self, scene):
        with self.operating(scene) as running:
            told = running.wait(scene.is_over)
        self.assertNotEqual(cells.SILENCE, told, running.said())
        return told, running.said()

    def _assert_locked_again(self, scene, lock_id):
        stack = waiting.until(
            'the lock to hold again', lambda: scene.owner.show_stack(
                scenarios.NAME), lambda stack: stack['lock_pass'] is None)
        self.assertEqual(('stacks', lock_id, 'db move'), (
            stack['lock_level'], stack['lock_id'], stack['lock_reason']))
        answer = scene.owner.delete(scene.path)
        self.assertEqual(409, answer.status_code, answer.text)

    def _value(self, scene):
        return scene.owner.show_stack(scenarios.NAME)['parameters']['value']

    def test_an_update_goes_through_and_the_lock_holds_again(self):
        scene = self._locked(scenarios.UPDATE)
        lock_id = scene.owner.show_stack(scenarios.NAME)['lock_id']
        told, said = self._play(scene)
        self.assertEqual((cells.SUCCESS, scenarios.DONE),
                         (told, scene.outcome()), said)
        self.assertIn('changed', said)
        self.assertEqual('two', self._value(scene))
        self._assert_locked_again(scene, lock_id)

    def test_an_update_that_fails_is_rolled_back_behind_the_lock(self):
        scene = self._locked(scenarios.BAD_UPDATE)
        lock_id = scene.owner.show_stack(scenarios.NAME)['lock_id']
        self._play(scene)
        self.assertEqual(scenarios.ROLLED_BACK, scene.outcome())
        self.assertEqual('one', self._value(scene))
        self._assert_locked_again(scene, lock_id)

    def test_the_second_update_is_refused(self):
        scene = self._locked(scenarios.UPDATE)
        self._play(scene)
        scene.outcome()
        waiting.until('the lock to hold again', lambda: scene.owner.show_stack(
            scenarios.NAME), lambda stack: stack['lock_pass'] is None)
        told, said = self._play(scene)
        self.assertEqual(cells.FAILURE, told, said)
        self.assertIn('is locked (level stacks) by alice', said)

    def test_without_a_pass_it_is_refused(self):
        scene = self.stack(scenarios.UPDATE)
        situations.lock()(scene)
        told, said = self._play(scene)
        self.assertEqual((cells.FAILURE, scenarios.NOTHING),
                         (told, scene.outcome()), said)
        self.assertIn('is locked (level stacks) by alice', said)


class RealAnsiblePassTest(AnsiblePassTest):
    """The same with a real Keystone, and two engines behind a broker."""

    is_real = True
