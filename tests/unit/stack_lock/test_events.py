# SPDX-License-Identifier: Apache-2.0

"""Events of resources for which a lock has called a service."""

import types

import testtools

from heat_extras.stack_lock import events
from heat_extras.stack_lock.resource_locks import resource_states
from tests.unit.stack_lock.resource_locks import fakes

NONE = (resource_states.PROTECTED, None)


class ResourceEventsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.web = fakes.Stack('web')

    def resources(self, stack, count):
        return [stack.add(fakes.Resource, f'r{number}')
                for number in range(count)]

    def ended(self, action='LOCK', **results):
        return {row['resource_name']: (
            row['resource_action'], row['resource_status'],
            row['resource_status_reason'])
            for row in events.resource_end_events(action, {
                self.web.add(fakes.Resource, name): result
                for name, result in results.items()})}

    def test_each_resource_has_end_event(self):
        self.assertEqual(
            {'a': ('LOCK', 'COMPLETE', 'state changed'),
             'b': ('LOCK', 'COMPLETE', 'bob has'),
             'c': ('LOCK', 'FAILED', 'no rights'),
             'd': ('LOCK', 'FAILED', 'late'),
             'e': ('LOCK', 'COMPLETE', 'none')},
            self.ended(a=(resource_states.PROTECTED, None),
                       b=(resource_states.FOUND, 'bob has'),
                       c=(resource_states.FAILED, 'no rights'),
                       d=(resource_states.LOCKING, 'late'),
                       # This is known only after the start.
                       e=(resource_states.NO_API, 'none')))

    def test_released_resource_has_unlock_event(self):
        self.assertEqual(
            {'a': ('UNLOCK', 'COMPLETE', 'state changed')},
            self.ended('UNLOCK', a=(None, None)))

    def test_event_reason_has_at_most_255_characters(self):
        (_, _, reason), = self.ended(
            a=(resource_states.FAILED, 'x' * 300)).values()
        self.assertEqual(255, len(reason))

    def test_started_resource_has_start_event(self):
        unlocked, begun = self.resources(self.web, 2)
        row, = events.resource_start_events('LOCK', [unlocked, begun], [begun])
        self.assertEqual(('r1', 'LOCK', 'IN_PROGRESS'), (
            row['resource_name'], row['resource_action'],
            row['resource_status']))

    def test_large_stack_has_events_of_failures_and_summary(self):
        resources = self.resources(self.web, 51)
        self.assertEqual([], events.resource_start_events(
            'LOCK', resources, resources[:3]))
        ended = events.resource_end_events('LOCK', {
            **dict.fromkeys(resources, NONE),
            resources[3]: (resource_states.FAILED, 'no')})
        self.assertEqual(
            [('r3', 'FAILED', 'no'),
             ('web', 'IN_PROGRESS', '1 of 51 resources failed. Only failures '
              'have events in a stack with so many resources')],
            [(row['resource_name'], row['resource_status'],
              row['resource_status_reason']) for row in ended])

    def test_resource_events_are_limited_to_tenth_of_heat_limit(self):
        resources = self.resources(self.web, 200)
        ended = events.resource_end_events(
            'LOCK', dict.fromkeys(resources, (resource_states.FAILED, 'no')))
        self.assertEqual(events.event_limit(), len(ended))
        self.assertEqual(100, len(ended))

    def test_event_limit_is_per_stack(self):
        other = fakes.Stack('other')
        both = self.resources(self.web, 51) + self.resources(other, 50)
        self.assertEqual(
            {other.id}, {row['stack_id']
                         for row in events.resource_start_events(
                             'LOCK', both, both)})
        self.assertEqual(51, len(events.resource_end_events(
            'LOCK', dict.fromkeys(both, NONE))))

    def test_all_resources_have_events_without_heat_limit(self):
        events.cfg.CONF.set_override('max_events_per_stack', 0)
        self.addCleanup(events.cfg.CONF.clear_override,
                        'max_events_per_stack')
        resources = self.resources(self.web, 200)
        self.assertEqual(200, len(events.resource_start_events(
            'LOCK', resources, resources)))


class RequestedByTest(testtools.TestCase):
    def test_requester_is_named_only_within_project_of_stack(self):
        root = types.SimpleNamespace(tenant='demo')
        for who, project, wanted in (
                ('alice', 'demo', 'Requested by alice'),
                ('ops', 'admin', None), (None, 'demo', None)):
            self.assertEqual(wanted, events.requested_by(root, who, project))
