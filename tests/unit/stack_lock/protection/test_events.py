# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Events of resources that a lock has asked a service about."""

import testtools

from heat_extras.stack_lock.protection import events
from heat_extras.stack_lock.protection import report
from heat_extras.stack_lock.protection import states
from tests.unit.stack_lock.protection import database
from tests.unit.stack_lock.protection import fakes


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
