# SPDX-License-Identifier: Apache-2.0

"""Events of resources that a lock has asked a service about."""

import testtools

from heat_extras.stack_lock.resource_locks import events
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes


class EventsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(fakes.Stack('web'))

    def written(self, action='LOCK', **results):
        """Write the events of results; returns what is in the database."""
        events.write(self.database.context, action, report.Report(
            {self.database.resource(self.web, name): result
             for name, result in results.items()}, [self.web]))
        return {row['resource_name']: (
            row['resource_action'], row['resource_status'],
            row['resource_status_reason'])
            for row in self.database.heat.rows('event')}

    def test_each_resource_with_a_lock_has_one(self):
        self.assertEqual(
            {'a': ('LOCK', 'COMPLETE', 'state changed'),
             'b': ('LOCK', 'COMPLETE', 'bob has'),
             'c': ('LOCK', 'FAILED', 'no rights'),
             'd': ('LOCK', 'FAILED', 'late')},
            self.written(a=(states.PROTECTED, None),
                         b=(states.FOUND, 'bob has'),
                         c=(states.FAILED, 'no rights'),
                         d=(states.LOCKING, 'late'),
                         e=(states.NO_API, 'none')))

    def test_of_an_unlock(self):
        self.assertEqual(
            {'a': ('UNLOCK', 'COMPLETE', 'state changed')},
            self.written('UNLOCK', a=(None, None)))

    def test_reasons_are_cut_as_heat_does(self):
        (_, _, reason), = self.written(
            a=(states.FAILED, 'x' * 300)).values()
        self.assertEqual(255, len(reason))

    def test_none_for_nothing(self):
        self.assertEqual({}, self.written())
