# SPDX-License-Identifier: Apache-2.0

import datetime

import testtools

from heat_extras.db import counters
from tests.unit.db import base

FIRST = datetime.datetime(2026, 11, 20, 10, 2, 11)


def add(database, stack_id, count, event='refused', operation='update',
        last_at=FIRST):
    """Insert a counter."""
    database.insert('heat_extras_counter', {
        'stack_id': stack_id, 'event': event, 'operation': operation,
        'count': count, 'first_at': FIRST, 'last_at': last_at})


class CountersTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase(extended=True))
        self.engine = self.database.engine
        self.database.add_stack('1', name='web', tenant='demo')
        self.database.add_stack('2', name='old', deleted_at=FIRST)
        add(self.database, '1', 3)
        add(self.database, '1', 5, 'ignored', 'signal',
            FIRST + datetime.timedelta(hours=1))
        add(self.database, '2', 7)
        add(self.database, 'never-heard-of', 11)

    def totals(self):
        return [(row.event, row.operation, row.total)
                for row in counters.read_totals(self.engine)]

    def test_totals_include_all_stacks(self):
        self.assertEqual([('ignored', 'signal', 5), ('refused', 'update', 21)],
                         self.totals())

    def test_stacks_are_listed_most_recent_first(self):
        self.assertEqual(
            [('web', 'demo', '1', 'signal', 5),
             ('web', 'demo', '1', 'update', 3)],
            [(row.name, row.tenant, row.stack_id, row.operation, row.count)
             for row in counters.list_per_stack(self.engine)])
        self.assertEqual([], counters.list_per_stack(self.engine, 'other'))

    def test_purge_keeps_totals(self):
        before = self.totals()
        self.assertEqual(2, counters.move_deleted(self.engine))
        self.assertEqual(before, self.totals())
        self.assertEqual(0, counters.move_deleted(self.engine))
        self.assertEqual(
            {'1': 8, counters.DELETED_STACKS: 18},
            {stack_id: sum(row['count'] for row
                           in self.database.rows('heat_extras_counter')
                           if row['stack_id'] == stack_id)
             for stack_id in ('1', counters.DELETED_STACKS)})

    def test_second_purge_adds_to_moved_counters(self):
        counters.move_deleted(self.engine)
        add(self.database, 'later', 1)
        counters.move_deleted(self.engine)
        self.assertEqual([('ignored', 'signal', 5), ('refused', 'update', 22)],
                         self.totals())
