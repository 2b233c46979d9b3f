# SPDX-License-Identifier: Apache-2.0

"""Services that would reject the deletion of a resource stop its plan."""

from tests.functional import base
from tests.functional import lockable_resources

FREE = 'open'
OTHERS = 'bolted by eve'


class DeletionStopsTest(lockable_resources.TestCase):

    doors = {'door': 'Door', 'gate': 'Gate', 'other': 'Door'}

    def door_is(self, text):
        (self.place / self.ids['door']).write_text(text)

    def stops(self, client=None):
        """Return the resources with their stops, and the other stops."""
        answer = (client or self.client).get(self.path + '/delete_preview')
        self.assert_status(200, answer)
        body = answer.json()
        return {entry['path']: stop for entry in body['plan']
                for stop in entry['stops']}, body['plan_stops']

    def test_lock_of_somebody_else_stops_deletion(self):
        self.addCleanup(self.door_is, FREE)
        self.assertEqual(({}, []), self.stops())
        self.door_is(OTHERS)
        self.assertEqual(({'door': {
            'type': 'resource_lock', 'message': OTHERS, 'certainty': 'will',
            'when': 'during'}}, []), self.stops())
        done = self.client.openstack('stack', 'plan', '--delete', self.name)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn(f'Stopped by resource_lock: {OTHERS}', done.stdout)
        done = self.client.openstack('stack', 'delete', '--plan-first',
                                     '--yes', self.name)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('Nothing was changed', done.stderr)
        self.assertEqual(3, len(self.states()))
        # Without the plan, Heat stops half way.
        self.client.delete(self.path)
        self.client.wait_for_status(self.path, 'DELETE_FAILED')
        self.assertEqual(OTHERS, self.state())
        self.assertEqual('will', self.stops()[0]['door']['certainty'])
        self.door_is(FREE)
        self.assertNotIn('door', self.stops()[0])

    def test_administrator_may_delete(self):
        self.addCleanup(self.door_is, FREE)
        self.door_is(OTHERS)
        self.assertEqual('may', self.stops(self.admin)[0]['door'][
            'certainty'])

    def test_lock_of_stack_is_no_stop_of_resource(self):
        self._locked()
        found, stops = self.stops()
        self.assertEqual(({}, {'lock', 'protection'}), (
            found, {stop['type'] for stop in stops}))
        self._unlocked()
        self.assertEqual(({}, []), self.stops())

    def test_retained_resource_has_no_stop(self):
        for definition in self.template['resources'].values():
            definition['deletion_policy'] = 'Retain'
        self.client.put(self.path, {'template': self.template})
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.door_is(OTHERS)
        self.assertEqual(({}, []), self.stops())
        for definition in self.template['resources'].values():
            del definition['deletion_policy']
        self.door_is(FREE)
        self.client.put(self.path, {'template': self.template})
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_service_without_answer_may_stop(self):
        door = self.place / self.ids['door']
        door.unlink()
        door.mkdir()

        def repair():
            door.rmdir()
            self.door_is(FREE)
        self.addCleanup(repair)
        found, _ = self.stops()
        self.assertEqual(('door', 'may'), (
            *found, found['door']['certainty']))


class LegacyDeletionStopsTest(DeletionStopsTest):

    settings = base.LEGACY + lockable_resources.SETTINGS.partition('\n')[2]
