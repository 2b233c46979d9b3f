# SPDX-License-Identifier: Apache-2.0

"""Tests of resource status and events during a lock of level ``all``."""

import io
import json
import subprocess
import threading
import time

from heatclient.common import event_utils
from heatclient.v1 import client as heat_client

from heat_extras.sandbox import clients
from tests.functional import lockable_resources
from tests.harness import waiting

_FULL = '[heat_extras]\nstatus_overlay = full\n'
_LEGACY = 'convergence_engine = false\n'
_FEW = 'max_events_per_stack = 30\nevent_purge_batch_size = 5\n'


class EventsTestCase(lockable_resources.TestCase):
    name = 'house'

    def of_resources(self, path=None):
        """List the lock events of doors, and of the stack as ``self``."""
        stack_name = (path or self.path).split('/')[2]
        return [(name if name != stack_name else 'self', status)
                for name, status, _ in self.events(path) if 'LOCK' in status]

    def assert_polled(self):
        """Assert that heatclient polls until the last event."""
        for verb in 'lock', 'unlock':
            let_go, asked = self.hold_up(verb), len(self.calls())
            polling, polled = self._poll(verb)
            self.assert_status(200, getattr(self, verb)())
            self.wait_for_calls(asked + 2)
            # By this time, the client has seen all start events.
            time.sleep(1)
            self.assertEqual([], polled)
            let_go()
            self.hurry(verb)
            polling.join(30)
            (status, _), = polled
            self.assertEqual(f'{verb.upper()}_COMPLETE', status)
            self._wait(self.path, status)

    def _poll(self, verb):
        heat = heat_client.Client(endpoint=self.sandbox.url,
                                  token='alice:member')
        marker = self.client.get(
            self.path + '/events?sort_dir=asc').json()['events'][-1]['id']
        polled = []
        polling = threading.Thread(
            target=lambda: polled.append(event_utils.poll_for_events(
                heat, self.name, verb.upper(), poll_period=0.2,
                marker=marker, out=io.StringIO())), daemon=True)
        polling.start()
        return polling, polled

    def each(self, *events):
        return sorted((name, status) for name in self.doors
                      for status in events)

    def assert_between(self, events, action, status='COMPLETE'):
        """Assert that the stack has the first and the last event."""
        self.assertEqual(('self', f'{action}_IN_PROGRESS'), events[0])
        self.assertEqual(('self', f'{action}_{status}'), events[-1])


class EventsTest(EventsTestCase):
    def test_each_resource_has_start_and_end_event(self):
        self._locked()
        events = self.of_resources()
        self.assert_between(events, 'LOCK')
        self.assertEqual(self.each('LOCK_IN_PROGRESS', 'LOCK_COMPLETE'),
                         sorted(events[1:-1]))
        self._unlocked()
        events = self.of_resources()[len(events):]
        self.assert_between(events, 'UNLOCK')
        self.assertEqual(self.each('UNLOCK_IN_PROGRESS', 'UNLOCK_COMPLETE'),
                         sorted(events[1:-1]))

    def test_lower_level_records_unlock_events(self):
        self._locked()
        before = len(self.of_resources())
        self._locked('stacks')
        events = self.of_resources()[before:]
        self.assert_between(events, 'LOCK')
        self.assertEqual(self.each('UNLOCK_IN_PROGRESS', 'UNLOCK_COMPLETE'),
                         sorted(events[1:-1]))

    def test_failed_lock_of_resource_is_recorded(self):
        self.order(f'jammed {self.ids["door"]}')
        self._locked(status='LOCK_FAILED')
        events = self.of_resources()
        self.assert_between(events, 'LOCK', 'FAILED')
        self.assertEqual(
            [('door', 'LOCK_FAILED'), ('door', 'LOCK_IN_PROGRESS'),
             ('gate', 'LOCK_COMPLETE'), ('gate', 'LOCK_IN_PROGRESS')],
            sorted(events[1:-1]))

    def test_reset_lock_records_failed_events(self):
        self.hold_up('lock')
        self.assert_status(200, self.lock(level='all'))
        self.wait_for_calls(2)
        self.manage('reset-lock', self.path.rpartition('/')[2])
        events = self.of_resources()
        self.assert_between(events, 'LOCK', 'FAILED')
        self.assertEqual(self.each('LOCK_FAILED', 'LOCK_IN_PROGRESS'),
                         sorted(events[1:-1]))
        reason = self._resource('door')['lock_protection_reason']
        self.assertIn('reset', reason)
        self._let_everything_go()
        for name in self.doors:
            waiting.until_equal(f'the late call of {name}', 'bolted by heat',
                                lambda name=name: self.state(name))
        self._unlocked()
        self.assertEqual({'open'}, set(map(self.state, self.doors)))

    def test_delete_records_unlock_events(self):
        self.order(f'jammed {self.ids["door"]}')
        self._locked(status='LOCK_FAILED')
        before = len(self.of_resources())
        self._let_everything_go()
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assertEqual(
            ['UNLOCK_IN_PROGRESS', 'UNLOCK_COMPLETE'],
            [status for name, status in self.of_resources()[before:]
             if name == 'gate'])

    def test_heatclient_waits_for_last_event(self):
        self.assert_polled()

    def test_client_with_wait_stops_at_last_event(self):
        let_go = self.hold_up('lock')
        waits = subprocess.Popen(
            [clients.find_client('openstack', 'python-openstackclient'),
             'stack', 'lock', '--wait', self.name, '-f', 'value', '-c',
             'Result'],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=clients.openstack_environment(self.sandbox.url,
                                              'alice:member'))
        self.addCleanup(waits.kill)
        begun = []
        for line in waits.stderr:
            begun.append(line)
            if 'gate' in line:
                break
        self.assertIsNone(waits.poll(), begun)
        let_go()
        out, err = waits.communicate(timeout=60)
        self.assertEqual((0, 'locked\n'), (waits.returncode, out), err)
        self.assertIn(f'[{self.name}.door]: LOCK_COMPLETE', err)


class LegacyEventsTest(EventsTest):
    settings = EventsTest.settings + _LEGACY


class NestedTest(EventsTestCase):
    files = {'inner.yaml': ''}

    def make_template(self):
        inner = super().make_template()
        self.files = {'inner.yaml': json.dumps(inner)}
        resources = {**inner['resources'], 'nested': {'type': 'inner.yaml'}}
        return {**inner, 'resources': resources}

    def test_each_stack_has_events_of_its_resources(self):
        nested, = [link['href'] for link in self._resource('nested')['links']
                   if link['rel'] == 'nested']
        self._locked()
        self._unlocked()
        path = '/stacks' + nested.partition('/stacks')[2]
        for events in self.of_resources(), self.of_resources(path):
            self.assertEqual(
                self.each(*(f'{action}_{status}' for action in (
                    'LOCK', 'UNLOCK') for status in (
                        'COMPLETE', 'IN_PROGRESS'))),
                sorted(event for event in events if event[0] != 'self'))


class EventLimitTest(EventsTestCase):
    """A stack with more resources than the limit of events allows."""

    settings = lockable_resources.SETTINGS + _FEW

    def test_events_are_summarized_above_limit(self):
        self._locked()
        events = self.of_resources()
        self.assertEqual([('self', 'LOCK_IN_PROGRESS')] * 2
                         + [('self', 'LOCK_COMPLETE')], events)
        self._unlocked()
        self.assertEqual([('self', 'UNLOCK_IN_PROGRESS')] * 2
                         + [('self', 'UNLOCK_COMPLETE')],
                         self.of_resources()[len(events):])

    def test_heatclient_waits_for_last_event(self):
        self.assert_polled()

    def test_old_events_are_purged(self):
        for _ in range(8):
            self._locked()
            self._locked('stacks')
        self.assertLess(len(self.events()), 40)

    def test_failed_resource_has_own_event(self):
        self.order(f'jammed {self.ids["door"]}')
        self._locked(status='LOCK_FAILED')
        events = self.events()[-3:]
        self.assertEqual(
            [('door', 'LOCK_FAILED'), (self.name, 'LOCK_IN_PROGRESS'),
             (self.name, 'LOCK_FAILED')], [event[:2] for event in events])
        self.assertIn('1 of 2 resources failed', events[1][2])


class OverlayTest(lockable_resources.TestCase):
    name = 'shown'
    settings = lockable_resources.SETTINGS + _FULL

    def shown(self, name='door'):
        resource = self._resource(name)
        return (resource['resource_status'], resource.get(
            'prior_resource_status'), resource['lock_protection'])

    def in_progress(self, verb):
        let_go, asked = self.hold_up(verb), len(self.calls())
        self.assert_status(200, getattr(self, verb)())
        self.wait_for_calls(asked + 2)
        shown = self.shown()
        let_go()
        self.hurry(verb)
        self._wait(self.path, f'{verb.upper()}_COMPLETE')
        return shown

    def test_status_shows_lock_until_next_operation(self):
        own = 'CREATE_COMPLETE'
        self.assertEqual(('LOCK_IN_PROGRESS', own, None),
                         self.in_progress('lock'))
        self.assertEqual(('LOCK_COMPLETE', own, 'protected'), self.shown())
        self.assertEqual(('UNLOCK_IN_PROGRESS', own, None),
                         self.in_progress('unlock'))
        self.assertEqual(('UNLOCK_COMPLETE', own, None), self.shown())
        listed = self.client.get(self.path + '/resources').json()
        self.assertEqual({'UNLOCK_COMPLETE'}, {
            each['resource_status'] for each in listed['resources']})
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assertEqual((own, None, None), self.shown())

    def test_lock_with_level_stacks_is_not_shown(self):
        self._locked()
        self._unlocked()
        self._locked('stacks')
        self.assertEqual(('CREATE_COMPLETE', None, None), self.shown())
        self._unlocked()
        self.assertEqual(('CREATE_COMPLETE', None, None), self.shown())

    def test_resource_that_is_not_released_shows_failure(self):
        self._locked()
        self.order(f'jammed {self.ids["door"]}')
        self.assert_status(200, self.unlock())
        self._wait(self.path, 'UNLOCK_FAILED')
        self.assertEqual(
            [('UNLOCK_FAILED', 'CREATE_COMPLETE', 'failed'),
             ('UNLOCK_COMPLETE', 'CREATE_COMPLETE', None)],
            [self.shown(name) for name in ('door', 'gate')])
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'unlock': {'ignore_failures': True}}))
        self._wait(self.path, 'UNLOCK_COMPLETE')
        self.assertEqual(('UNLOCK_FAILED', 'CREATE_COMPLETE', 'not_released'),
                         self.shown())
        self._let_everything_go()
        self._locked()
        self._unlocked()


class LegacyOverlayTest(OverlayTest):
    settings = lockable_resources.SETTINGS + _LEGACY + _FULL
