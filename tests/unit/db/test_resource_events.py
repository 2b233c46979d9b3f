# SPDX-License-Identifier: Apache-2.0

"""Events of resources whose interrupted lock or unlock is ended."""

import testtools

from heat_extras.db import resource_events
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes


class FailUnfinishedTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(
            fakes.Stack('web'), action='LOCK', status='IN_PROGRESS',
            operation_id='own')
        self.write(asked=(resource_states.LOCKING, None),
                   late=(resource_states.LOCKING, 'no answer'),
                   done=(resource_states.PROTECTED, None))

    def write(self, **results):
        token = resource_table.Token(self.database.context, self.web.id,
                                     'own')
        resource_table.replace_rows(token, {
            self.database.resource(self.web, name): result
            for name, result in results.items()})

    def fail(self, is_protecting=True, **options):
        with self.database.heat.engine.begin() as connection:
            resource_events.fail_unfinished(
                connection, self.web.id, is_protecting, 'it stopped',
                **options)
        return [(row['resource_name'], row['resource_action'],
                 row['resource_status'], row['resource_status_reason'])
                for row in self.database.heat.rows('event')]

    def test_locking_resource_gets_failed_event(self):
        self.assertEqual([('asked', 'LOCK', 'FAILED', 'it stopped')],
                         self.fail())

    def test_failed_event_is_added_once(self):
        self.fail()
        self.assertEqual(1, len(self.fail()))
        self.assertEqual({'asked': 'it stopped', 'late': 'no answer',
                          'done': None}, {
            row.resource_name: row.reason for row in
            resource_table.read_tree(self.database.context,
                                     self.web.id).values()})

    def test_failed_event_of_level_change_is_unlock(self):
        self.assertEqual('UNLOCK', self.fail(False)[0][1])

    def test_failed_events_are_limited_per_stack(self):
        self.write(two=(resource_states.LOCKING, None),
                   three=(resource_states.LOCKING, None))
        self.assertEqual(2, len(self.fail(most=2)))
