# SPDX-License-Identifier: Apache-2.0

"""How an operation of Tacker's that a lock refused is ended."""

from tests.consumers import base
from tests.consumers import consumers
from tests.consumers import scenarios
from tests.consumers import situations
from tests.consumers import vnfm
from tests.harness import command

# All of Tacker's steps, on a machine with other work.
_SECONDS = 600


class TackerAfterALockTest(base.ConsumerTestCase):
    consumer = consumers.BY_NAME['tacker-server']

    @classmethod
    def make_room(cls):
        return vnfm.Room(cls.overlay)

    def _vnf(self):
        scene = vnfm.Scene(self.room, self.project(), scenarios.UPDATE)
        scene.create()
        return scene

    def _ask(self, scene, operation):
        """Ask Tacker for an operation; return whether it did it, and why."""
        done = command.run(
            vnfm.words(scene, operation), seconds=_SECONDS,
            environment=self.room.environment(scene.project))
        return done.returncode == 0, done.stdout + done.stderr

    def _assert_done(self, scene, operation):
        is_done, said = self._ask(scene, operation)
        self.assertTrue(is_done, said)

    def _assert_refused(self, scene, operation, *words):
        is_done, said = self._ask(scene, operation)
        self.assertFalse(is_done, said)
        for word in words:
            self.assertIn(word, said)

    def _unlock(self, scene):
        scene.act('unlock')
        scene.owner.wait_for_end(scene.path)

    def _value(self, scene):
        return scene.owner.get(
            f'{scene.path}/resources/web').json()['resource']['attributes'][
            'output']

    def test_a_retry_does_it_after_the_unlock(self):
        scene = self._vnf()
        situations.lock()(scene)
        self._assert_refused(scene, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_refused(scene, 'retry', 'FAILED_TEMP', 'is locked')
        self._unlock(scene)
        self._assert_done(scene, 'retry')
        self.assertEqual('two', self._value(scene))

    def test_nothing_else_can_be_asked_for_before_it_is_ended(self):
        scene = self._vnf()
        situations.lock()(scene)
        self._assert_refused(scene, 'update', 'FAILED_TEMP', 'is locked')
        self._unlock(scene)
        self._assert_refused(scene, 'update', 'in progress')
        self._assert_refused(scene, 'delete', 'in progress')
        self._assert_done(scene, 'fail')
        self._assert_done(scene, 'update')

    def test_a_rollback_is_an_update_and_waits_for_the_unlock_too(self):
        scene = self._vnf()
        situations.lock()(scene)
        self._assert_refused(scene, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_refused(scene, 'rollback', 'FAILED_TEMP', 'is locked')
        self._unlock(scene)
        self._assert_done(scene, 'rollback')
        self.assertEqual('one', self._value(scene))

    def test_it_can_be_given_up_under_the_lock(self):
        scene = self._vnf()
        situations.lock()(scene)
        self._assert_refused(scene, 'update', 'FAILED_TEMP', 'is locked')
        self._assert_done(scene, 'fail')
        self._unlock(scene)
        self._assert_done(scene, 'update')

    def test_a_termination_is_retried(self):
        scene = self._vnf()
        situations.protect(scene)
        self._assert_refused(scene, 'delete', 'FAILED_TEMP',
                             'is protected from deletion')
        scene.act('unprotect')
        self._assert_done(scene, 'retry')
        self.assertFalse(self._is_there(scene))

    def test_a_heal_of_all_destroys_nothing_under_a_lock(self):
        scene = self._vnf()
        text = self._resource(scene, 'text')
        situations.lock()(scene)
        self._assert_refused(scene, 'heal', 'FAILED_TEMP', 'is locked')
        self.assertEqual(text, self._resource(scene, 'text'))
        self._unlock(scene)
        self._assert_done(scene, 'retry')
        # It is another stack now.
        self.assertFalse(self._is_there(scene))

    def _is_there(self, scene):
        """Return whether the stack of that name is still the same."""
        _, _, name, found = scene.path.split('/')
        answer = scene.owner.get(f'/stacks/{name}')
        return (answer.status_code == 200
                and answer.json()['stack']['id'] == found)

    def _resource(self, scene, name):
        return scene.owner.get(f'{scene.path}/resources/{name}').json()[
            'resource']['physical_resource_id']
