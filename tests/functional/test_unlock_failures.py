# SPDX-License-Identifier: Apache-2.0

"""Tests of unlock with ``ignore_failures``."""

from tests.functional import base
from tests.functional import lockable_resources


class IgnoreFailuresTest(lockable_resources.TestCase):
    name = 'jam'

    def jam(self):
        """Let the service reject all requests for the door."""
        self.order(f'jammed {self.ids["door"]}')

    def mend(self):
        (self.place / f'jammed {self.ids["door"]}').unlink()

    def give_up(self, client=None, status='UNLOCK_COMPLETE', **fields):
        self.assert_status(200, (client or self.client).post(
            self.path + '/actions',
            {'unlock': {'ignore_failures': True, **fields}}))
        return self._wait(self.path, status)

    def verify(self):
        rows = self.verified()[1]
        return [(row['resource_name'], row['lock_protection'], row['found'])
                for row in rows if row['stack_name'] == self.name]

    def noted(self):
        stack_id = self.path.rpartition('/')[2]
        return dict(self.sandbox.sql(
            'SELECT resource_name, state FROM heat_extras_protection '
            'WHERE root_id = ?', stack_id))

    def fail_to_unlock(self):
        self._locked()
        self.jam()
        self.assert_status(200, self.unlock())
        return self._wait(self.path, 'UNLOCK_FAILED')

    def test_failed_unlock_message_lists_remedies(self):
        stack = self.fail_to_unlock()
        answer = self.assert_status(409, self.client.delete(self.path))
        for message in (stack['lock_status_reason'],
                        answer.json()['error']['message']):
            self.assertIn('the door is jammed', message)
            self.assertIn('openstack stack unlock --ignore-failures '
                          f'{self.name}.', message)
            self.assertIn(f'heat-extras-manage unlock {stack["id"]}', message)

    def test_unreleased_resource_is_reported(self):
        self.fail_to_unlock()
        self.give_up()
        self.assertEqual({'door': 'not_released'}, self.noted())
        self.assertEqual(('bolted by heat', 'open'),
                         (self.state(), self.state('gate')))
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])
        events = self.events()
        self.assertIn('door of stack', events[-1][2])
        self.assertIn('UNLOCK_COMPLETE', events[-1][1])
        self.assertIn(('door', 'UNLOCK_FAILED'),
                      [event[:2] for event in events[-4:]])
        self.assertEqual([('door', 'not_released', 'protected')],
                         self.verify())
        guards = self.client.get(self.path + '/guards').json()['guards']
        guard, = [each for each in guards if each['kind'] == 'protection']
        self.assertIn('could not be released', guard['reason'])
        # All other operations are allowed.
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.mend()
        self._locked()
        self._unlocked()

    def test_lock_includes_unreleased_resource_again(self):
        self.fail_to_unlock()
        self.give_up()
        self._locked('stacks')
        self._unlocked()
        self.assertEqual({'door': 'not_released'}, self.noted())
        self._locked()
        self.assertEqual('protected', self.noted()['door'])
        self.mend()
        self._unlocked()
        self.assertEqual(({}, 'open'), (self.noted(), self.state()))
        self.assertEqual([], self.verify())

    def test_other_user_can_ignore_failures(self):
        self.fail_to_unlock()
        lock_id = self.client.show_stack(self.path)['lock_id']
        bob = self.sandbox.client('bob', 'member')
        self.give_up(bob, id=lock_id)
        self._locked()
        self.give_up(bob)
        self.assertEqual({'door': 'not_released'}, self.noted())
        self.mend()
        self._locked()
        self.give_up()
        self.assertEqual(({}, 'open'), (self.noted(), self.state()))

    def test_healthy_service_releases_resources(self):
        self._locked()
        self.give_up()
        self.assertEqual(({}, 'open'), (self.noted(), self.state()))
        self.assertEqual('Stack UNLOCK completed successfully',
                         self.events()[-1][2])

    def test_lock_remains_if_engine_stops_during_unlock(self):
        self._locked()
        self.hold_up('unlock')
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'unlock': {'ignore_failures': True}}))
        self.wait_for_calls(4)
        self.manage('reset-lock', self.path.rpartition('/')[2])
        self._wait(self.path, 'UNLOCK_FAILED')
        self.assert_refused(self.update())
        self._let_everything_go()
        self.give_up()
        self.assertEqual(({}, 'open'), (self.noted(), self.state()))

    def test_invalid_bodies_are_rejected(self):
        self._locked()
        for body in ({'ignore_failures': 'yes'}, {'ignore_failures': None},
                     {}):
            answer = self.client.post(self.path + '/actions',
                                      {'unlock': body})
            self.assert_status(400, answer)
        self._unlocked()

    def test_administrator_lock_requires_override_rule(self):
        self.assert_status(200, self.lock(self.admin, level='all'))
        self._wait(self.path, 'LOCK_COMPLETE')
        self.assert_status(403, self.client.post(
            self.path + '/actions', {'unlock': {'ignore_failures': True}}))


class LegacyIgnoreFailuresTest(IgnoreFailuresTest):
    settings = IgnoreFailuresTest.settings + base.LEGACY.replace(
        '[DEFAULT]\n', '')
