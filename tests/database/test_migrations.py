# SPDX-License-Identifier: Apache-2.0

"""The migrations on Heat's database with stacks, on every server."""

import functools
import itertools

from heat.db import migration as heat_migration
from heat.db import models as heat_models
import sqlalchemy
import testscenarios
import testtools

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import schema_check
from heat_extras.db import stack_columns
from tests.database import stack_rows
from tests.harness import databases

COLUMNS = {column.name for column in models.stack_columns()}


class MigrationTestCase(testscenarios.WithScenarios, testtools.TestCase):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.New(self.kind))
        self.engine = self.database.engine

    def sync_heat(self):
        """Do what heat-manage db_sync does."""
        heat_migration.db_sync(engine=self.engine)

    def schema(self):
        """Describe all tables, with their columns, indexes and keys."""
        inspector = sqlalchemy.inspect(self.engine)
        return {name: (
                    sorted((column['name'], str(column['type']),
                            column['nullable'], str(column['default']))
                           for column in inspector.get_columns(name)),
                    sorted(str(index) for index
                           in inspector.get_indexes(name)),
                    sorted(str(key) for key
                           in inspector.get_foreign_keys(name)))
                for name in inspector.get_table_names()}

    def rows(self):
        """Read the stacks as they are in the database."""
        table = self.database.table('stack')
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(
                table.select().order_by(table.c.id)).mappings()]

    def add_stacks(self):
        # The class may have our columns in this process, and the table not.
        stack_columns.map_stack_columns()
        table = self.database.table('stack')
        template = sqlalchemy.insert(
            heat_models.RawTemplate.__table__).values(template={})
        with self.engine.begin() as connection:
            key, = connection.execute(template).inserted_primary_key
            connection.execute(table.insert(), [
                {'id': str(number), 'name': 'web',
                 'tenant': stack_rows.PROJECT, 'raw_template_id': key,
                 'disable_rollback': True, 'action': 'CREATE',
                 'status': 'COMPLETE'} for number in range(3)])


class MigrationTest(MigrationTestCase):

    def test_upgrade_and_downgrade_with_stacks_change_nothing(self):
        self.sync_heat()
        self.add_stacks()
        schema, rows = self.schema(), self.rows()
        migration.upgrade(self.engine)
        self.assertEqual([], schema_check.list_missing(self.engine))
        self.assertEqual(migration.newest_revision(),
                         migration.read_revision(self.engine))
        self.assertEqual([row | dict.fromkeys(COLUMNS) for row in rows],
                         self.rows())
        migration.downgrade(self.engine)
        self.assertEqual(len(COLUMNS) + len(models.metadata.tables),
                         len(schema_check.list_missing(self.engine)))
        self.assertIsNone(migration.read_revision(self.engine))
        self.assertEqual((schema, rows), (self.schema(), self.rows()))

    def test_downgrade_with_locked_stacks_removes_locks(self):
        self.sync_heat()
        self.add_stacks()
        rows = self.rows()
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(self.database.table('stack').update().values(
                lock_level='all', lock_id='1'))
        migration.downgrade(self.engine)
        self.assertEqual(rows, self.rows())

    def test_heat_db_sync_before_and_after_upgrade(self):
        self.sync_heat()
        before = self.schema()
        migration.upgrade(self.engine)
        after = self.schema()
        self.sync_heat()
        self.assertEqual(after, self.schema())
        migration.upgrade(self.engine)
        self.assertEqual(after, self.schema())
        added = {column[0] for column in after['stack'][0]} - {
            column[0] for column in before['stack'][0]}
        self.assertEqual(COLUMNS, added)

    def test_older_heat_schema_can_be_upgraded_afterwards(self):
        heat_migration.db_sync(
            version=heat_migration.ALEMBIC_INIT_VERSION, engine=self.engine)
        self.add_stacks()
        migration.upgrade(self.engine)
        self.sync_heat()
        self.assertEqual([], schema_check.list_missing(self.engine))
        self.assertEqual(3, len(self.rows()))

    def test_list_missing_checks_tables(self):
        self.sync_heat()
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            for statement in ('DROP TABLE heat_extras_engine',
                              'ALTER TABLE stack DROP COLUMN lock_level'):
                connection.execute(sqlalchemy.text(statement))
        self.assertEqual(['stack.lock_level', 'heat_extras_engine'],
                         schema_check.list_missing(self.engine))

    def test_empty_database_is_rejected(self):
        self.assertRaises(migration.StackTableMissing, migration.upgrade,
                          self.engine)
        self.assertEqual({}, self.schema())


# What was dropped in an instant still has its place in MariaDB's rows, and
# after some rounds there is none left without a copy.
upgrade = functools.partial(migration.upgrade, allow_copy=True)
downgrade = functools.partial(migration.downgrade, allow_copy=True)


class Cut(Exception):
    """The connection is lost during a migration."""


class CutOffTestCase(MigrationTestCase):
    """A migration that ends after any of its statements."""

    def cut(self, migrate, count):
        """Run a migration up to a number of changes.

        :returns: whether it was cut off before its end.
        """
        changes = itertools.count()

        def refuse(connection, cursor, statement, *more):
            words = ('CREATE', 'ALTER', 'DROP', 'INSERT', 'DELETE')
            if (statement.lstrip().startswith(words)
                    and next(changes) == count):
                raise Cut()
        sqlalchemy.event.listen(self.engine, 'before_cursor_execute', refuse)
        try:
            migrate(self.engine)
            return False
        except Cut:
            return True
        finally:
            sqlalchemy.event.remove(self.engine, 'before_cursor_execute',
                                    refuse)

    def each_cut(self):
        """Cut either migration at its changes, one after the other.

        PostgreSQL takes all of them back, wherever it is.
        """
        step = 5 if self.kind == 'postgresql' else 1
        for migrate, prepare in ((upgrade, downgrade), (downgrade, upgrade)):
            prepare(self.engine)
            for count in itertools.count(0, step):
                if not self.cut(migrate, count):
                    self.assertGreater(count, 5)
                    break
                yield
                prepare(self.engine)


class RemovalCutOffTest(CutOffTestCase):

    def test_downgrade_after_interruption_leaves_no_changes(self):
        self.sync_heat()
        before = self.schema()
        for _ in self.each_cut():
            downgrade(self.engine)
            self.assertEqual(before, self.schema())


class UpgradeCutOffTest(CutOffTestCase):

    def test_upgrade_after_interruption_is_complete(self):
        self.sync_heat()
        upgrade(self.engine)
        complete = self.schema()
        for _ in self.each_cut():
            upgrade(self.engine)
            self.assertEqual(complete, self.schema())
            self.assertEqual(migration.newest_revision(),
                             migration.read_revision(self.engine))
