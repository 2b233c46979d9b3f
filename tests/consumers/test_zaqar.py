# SPDX-License-Identifier: Apache-2.0

"""Zaqar and locks: events in a queue, and messages that send signals."""

import datetime

import requests

from tests.cloud import base
from tests.consumers import zaqar
from tests.functional import templates
from tests.harness import waiting

_EVENTS, _ALARMS = 'events', 'alarms'
_ENVIRONMENT = {'event_sinks': [
    {'type': 'zaqar-queue', 'target': _EVENTS, 'ttl': 300}]}
_TEMPLATE = {**templates.SCALING, 'outputs': {
    name: {'value': {'get_attr': ['scale_up', name]}}
    for name in ('alarm_url', 'signal_url')}}
_TIMES = 20


class ZaqarTest(base.CloudTestCase):
    @classmethod
    def setUpClass(cls):
        # The tests do not use the shared cloud.
        super(base.CloudTestCase, cls).setUpClass()
        cls.cloud = cls.use_in_class(zaqar.Cloud())

    def setUp(self):
        super().setUp()
        self.addDetail('zaqar-server.log', base.logs.file_content(
            self.cloud.logs()['zaqar-server']))
        self.queues = zaqar.Queues(self.alice)
        self.addCleanup(self.queues.delete, _EVENTS)
        self.addCleanup(self.queues.delete, _ALARMS)
        self.path = self.create_stack(
            _TEMPLATE, files=templates.FILES, environment=_ENVIRONMENT)
        self.name = self.path.split('/')[2]

    def told(self):
        """Return the queued events of the stack itself, sorted by time."""
        messages = [each for each in self.queues.messages(_EVENTS)
                    if each['payload']['resource_name'] == self.name]
        return [(each['payload']['resource_action'], each['payload'][
            'resource_status'], each['payload']['resource_status_reason'])
                for each in sorted(messages,
                                   key=lambda each: each['timestamp'])]

    def wait_for_told(self, *wanted):
        """Wait until the queue has exactly these actions and statuses."""
        waiting.until_equal('the queue', list(wanted), lambda: [
            ' '.join(each[:2]) for each in self.told()])

    def act_well(self, name, fields=None):
        self.assert_status(200, self.act(self.path, name, fields))
        self.alice.wait_for_end(self.path)

    def select(self, columns, table):
        """Return the rows of a table for the stack."""
        return self.cloud.host.database.execute(
            f'SELECT {columns} FROM heat.{table} '
            f"WHERE stack_id = '{self.path.rpartition('/')[2]}'")

    def events(self):
        return self.select('COUNT(*)', 'event')[0][0]

    def ignored(self):
        """Return resources with ignored signals, and the numbers of these."""
        return [tuple(row) for row in self.select(
            'resource_name, count', 'heat_extras_ignored_signal')]

    def output(self, name):
        return next(each['output_value'] for each in self.alice.show_stack(
            self.path)['outputs'] if each['output_key'] == name)

    def size(self):
        """Return the number of members of the group."""
        group = self.alice.get(f'{self.path}/resources/group').json()
        return len(self.alice.get('/stacks/{}/resources'.format(
            group['resource']['physical_resource_id'])).json()['resources'])

    def test_queue_receives_events_of_lock_and_unlock(self):
        self.act_well('lock', {'level': 'stacks', 'reason': 'db move'})
        self.assert_refused(self.act(self.path, 'suspend'))
        self.act_well('unlock')
        self.wait_for_told(
            'CREATE IN_PROGRESS', 'CREATE COMPLETE',
            'LOCK IN_PROGRESS', 'LOCK COMPLETE',
            'UNLOCK IN_PROGRESS', 'UNLOCK COMPLETE')
        self.assertIn('db move', self.told()[3][2])

    def test_queue_receives_events_of_expired_lock(self):
        end = (datetime.datetime.now(datetime.timezone.utc)
               + datetime.timedelta(seconds=3))
        self.act_well('lock', {'level': 'stacks',
                               'expires_at': end.isoformat()})
        self.wait_for('the lock to end', lambda: self.alice.show_stack(
            self.path)['lock_level'], lambda level: level is None)
        self.wait_for_told(
            'CREATE IN_PROGRESS', 'CREATE COMPLETE',
            'LOCK IN_PROGRESS', 'LOCK COMPLETE',
            'UNLOCK IN_PROGRESS', 'UNLOCK COMPLETE')

    def _ring(self, subscriber):
        """Send signals by messages, before and after the unlock."""
        self.queues.subscribe(_ALARMS, subscriber)
        self.act_well('lock', {'level': 'stacks'})
        before = self.events()
        for _ in range(_TIMES):
            self.queues.post(_ALARMS, {'state': 'alarm'})
        waiting.until_equal(
            'one row of the signals', [('scale_up', _TIMES)], self.ignored)
        self.assertEqual(1, self.events() - before)
        self.act_well('unlock')
        self.assertEqual(1, self.size())
        self.queues.post(_ALARMS, {'state': 'alarm'})
        waiting.until_equal('members', 2, self.size)

    def test_signals_with_trust_are_ignored_until_unlock(self):
        self._ring('trust+' + self.output('signal_url'))

    def test_signals_with_signed_url_are_ignored_until_unlock(self):
        self._ring(self.output('alarm_url'))

    def test_invalid_signature_is_rejected_before_lock_is_checked(self):
        url = self.output('alarm_url')
        front, _, signature = url.rpartition('Signature=')
        other = front + 'Signature=' + signature[::-1]
        self.act_well('lock', {'level': 'stacks'})
        locked = self.events()
        self.assertEqual([403, 200, 403, 200], [
            requests.post(each, json={}, timeout=60).status_code
            for each in (other, url, other, url)])
        waiting.until_equal('what was ignored', [('scale_up', 2)],
                            self.ignored)
        self.assertEqual(1, self.events() - locked)
        self.act_well('unlock')
        self.assertEqual(403, requests.post(
            other, json={}, timeout=60).status_code)
        self.assertEqual(1, self.size())
