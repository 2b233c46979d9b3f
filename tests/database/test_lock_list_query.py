# SPDX-License-Identifier: Apache-2.0

"""Query plans for a page of the lock list."""

import fixtures
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.stack_lock import lock_list
from tests.database import base
from tests.database import stack_rows
from tests.database import statements
from tests.harness import databases

PROJECTS = [stack_rows.PROJECT, *(f'project{number}' for number in range(29))]
# So many that no database prefers a full table scan.
LOCKS = 3000
COUNT = 10

_BY_PROJECT = 'ix_heat_extras_guard_project_id'
_OF_ALL = {'mysql': "'PRIMARY'", 'postgresql': 'heat_extras_guard_pkey'}
# Parts of a query plan that scans a table or sorts rows.
_TOO_MUCH = {'mysql': ("'type': 'ALL'", 'filesort', 'temporary'),
             'postgresql': ('Seq Scan', 'Sort')}


class ListQueryTest(base.DatabaseTest):

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        self.dialect = self.engine.dialect.name
        self.tables = sqlalchemy.MetaData()
        self.tables.reflect(self.engine, only=['stack', 'heat_extras_guard'])
        root = self.stacks.add_stack()
        self.lock(root)
        self.grow(self.read_stack(root))
        self.run_statement('ANALYZE' if self.dialect == 'postgresql'
                           else 'ANALYZE TABLE stack, heat_extras_guard')

    def read_stack(self, stack_id):
        table = self.tables.tables['stack']
        with self.engine.connect() as connection:
            return dict(connection.execute(sqlalchemy.select(table).where(
                table.c.id == stack_id)).mappings().one())

    def grow(self, held):
        """Add copies of a locked stack."""
        stacks = [{**held, 'id': uuidutils.generate_uuid(),
                   'name': f's{number}',
                   'tenant': PROJECTS[number % len(PROJECTS)],
                   'lock_id': uuidutils.generate_uuid()}
                  for number in range(LOCKS)]
        locks = [{'id': stack['lock_id'], 'stack_id': stack['id'],
                  'project': stack['tenant'],
                  'kind': 'lock'} for stack in stacks]
        for name, rows in (('stack', stacks), ('heat_extras_guard', locks)):
            with self.engine.begin() as connection:
                connection.execute(sqlalchemy.insert(
                    self.tables.tables[name]), rows)

    def run_statement(self, statement):
        with self.engine.begin() as connection:
            connection.exec_driver_sql(statement)

    def look(self, wanted, index):
        """Read two pages and check the query plans."""
        with statements.Plans(self.engine) as sent:
            first = lock_list.read_rows(self.context, COUNT, **wanted)
            second = lock_list.read_rows(self.context, COUNT,
                                         first[-1].lock_id, **wanted)
            plans = sent.explain()
        self.assertEqual(2 * COUNT, len(
            {row.of_stack for row in first + second}))
        self.assertEqual(2, len(plans))
        self.check_plans(plans, index)

    def check_plans(self, plans, index):
        for plan in plans:
            for word in _TOO_MUCH[self.dialect]:
                self.assertNotIn(word, plan)
            self.assertIn(index, plan)

    def test_page_is_read_without_table_scan_and_sorting(self):
        self.look({'project': PROJECTS[1]}, _BY_PROJECT)
        self.look({}, _OF_ALL[self.dialect])

    def test_large_page_is_read_in_batches(self):
        with statements.Plans(self.engine) as sent:
            rows = lock_list.read_rows(self.context, 1000)
            plans = sent.explain()
        self.assertEqual(1000, len({row.of_stack for row in rows}))
        self.assertEqual(8, len(plans))
        self.check_plans(plans, _OF_ALL[self.dialect])


class FailsWhenUnprotectedTest(ListQueryTest):

    test_large_page_is_read_in_batches = None

    def test_page_is_read_without_table_scan_and_sorting(self):
        table = self.tables.tables['heat_extras_guard']
        # The same pages, in an order that no index has.
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.lock_list._query',
            lambda count, marker, *_: sqlalchemy.select(
                table.c.stack_id.label('of_stack'), table.c.id,
                table.c.id.label('lock_id')).where(
                table.c.id > (marker or '')).order_by(
                    sqlalchemy.func.lower(table.c.id)).limit(count)))
        error = self.assertRaises(
            AssertionError, self.look, {}, _OF_ALL[self.dialect])
        self.assertRegex(str(error), 'Sort|filesort')
