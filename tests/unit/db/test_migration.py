# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from alembic import autogenerate
from alembic import migration as alembic_migration
from alembic import script
import sqlalchemy
import testtools

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import schema_check
from tests.unit.db import base

TABLES = {'heat_extras_engine', 'heat_extras_guard',
          'heat_extras_freezes',
          'heat_extras_ignored_signal',
          'heat_extras_mark', 'heat_extras_protection',
          'heat_extras_counter', 'heat_extras_operation',
          'heat_extras_baseline'}
COLUMNS = {column.name for column in models.stack_columns()}


class UpgradeTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase())
        self.engine = self.database.engine

    def columns(self):
        return {column['name'] for column
                in sqlalchemy.inspect(self.engine).get_columns('stack')}

    def tables(self):
        return set(sqlalchemy.inspect(self.engine).get_table_names())

    def test_added_columns_are_nullable_without_default(self):
        migration.upgrade(self.engine)
        for column in sqlalchemy.inspect(self.engine).get_columns('stack'):
            if column['name'] in COLUMNS:
                self.assertTrue(column['nullable'], column)
                self.assertIsNone(column['default'], column)

    def test_tables_have_no_foreign_keys(self):
        migration.upgrade(self.engine)
        for name in TABLES:
            self.assertEqual(
                [], sqlalchemy.inspect(self.engine).get_foreign_keys(name))

    def test_second_upgrade_changes_nothing(self):
        migration.upgrade(self.engine)
        once = self.database.schema()
        migration.upgrade(self.engine)
        self.assertEqual(once, self.database.schema())

    def test_interrupted_upgrade_is_finished(self):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'ALTER TABLE stack ADD COLUMN lock_level VARCHAR(16)'))
        migration.upgrade(self.engine)
        self.assertEqual([], schema_check.list_missing(self.engine))

    def test_upgrade_adds_missing_tables_and_indexes(self):
        migration.upgrade(self.engine)
        before = self.database.schema()
        with self.engine.begin() as connection:
            for statement in ('DROP TABLE heat_extras_guard',
                              'DROP TABLE heat_extras_baseline'):
                connection.execute(sqlalchemy.text(statement))
        migration.upgrade(self.engine)
        self.assertEqual(before, self.database.schema())
        with self.engine.begin() as connection:
            for statement in ('DROP INDEX ix_heat_extras_guard_project_id',
                              'DROP TABLE heat_extras_baseline'):
                connection.execute(sqlalchemy.text(statement))
        migration.upgrade(self.engine)
        self.assertEqual(before, self.database.schema())

    def test_upgrade_keeps_alembic_version_of_heat(self):
        before = self.database.rows('alembic_version')
        migration.upgrade(self.engine)
        self.assertEqual(before, self.database.rows('alembic_version'))

    def test_rejection_hides_password(self):
        url = sqlalchemy.make_url('mysql+pymysql://heat:secret@host/heat')
        self.assertNotIn('secret', str(migration.StackTableMissing(url)))


class DowngradeTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase())
        self.engine = self.database.engine

    def test_downgrade_keeps_database_without_heat_extras(self):
        before = self.database.schema()
        migration.downgrade(self.engine)
        self.assertEqual(before, self.database.schema())

    def test_interrupted_downgrade_is_finished(self):
        before = self.database.schema()
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            for statement in ('DROP TABLE heat_extras_engine',
                              'ALTER TABLE stack DROP COLUMN updatable'):
                connection.execute(sqlalchemy.text(statement))
        migration.downgrade(self.engine)
        self.assertEqual(before, self.database.schema())

    def test_downgrade_without_recorded_revision_removes_schema(self):
        before = self.database.schema()
        for statement in (f'DELETE FROM {migration.VERSION_TABLE}',
                          f'DROP TABLE {migration.VERSION_TABLE}'):
            migration.upgrade(self.engine)
            with self.engine.begin() as connection:
                connection.execute(sqlalchemy.text(statement))
            migration.downgrade(self.engine)
            self.assertEqual(before, self.database.schema())


class RevisionTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase())
        self.engine = self.database.engine

    def test_there_is_a_single_head(self):
        directory = script.ScriptDirectory(migration.find_environment())
        self.assertEqual([migration.newest_revision()], directory.get_heads())

    def test_revision_is_none_before_upgrade_and_head_after(self):
        self.assertIsNone(migration.read_revision(self.engine))
        migration.upgrade(self.engine)
        self.assertEqual(migration.newest_revision(),
                         migration.read_revision(self.engine))
        migration.downgrade(self.engine)
        self.assertIsNone(migration.read_revision(self.engine))

    def test_unknown_revision_is_rejected_without_changes(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                f"UPDATE {migration.VERSION_TABLE} SET version_num = '999'"))
        before = self.database.schema()
        for migrate in (migration.upgrade, migration.downgrade):
            error = self.assertRaises(migration.UnknownRevision, migrate,
                                      self.engine)
            self.assertIn('999', str(error))
            self.assertEqual(before, self.database.schema())

    def test_several_revisions_are_rejected_without_changes(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                f"INSERT INTO {migration.VERSION_TABLE} VALUES ('999')"))
        before = self.database.schema()
        for run in (migration.upgrade, migration.downgrade,
                    migration.read_revision):
            error = self.assertRaises(migration.UnknownRevision, run,
                                      self.engine)
            self.assertIn(f'{migration.newest_revision()} and 999', str(error))
            self.assertEqual(before, self.database.schema())

    def test_every_revision_can_be_downgraded_and_upgraded(self):
        directory = script.ScriptDirectory(migration.find_environment())
        for step in reversed(list(directory.walk_revisions())):
            before = self.database.schema()
            migration.upgrade(self.engine, step.revision)
            after = self.database.schema()
            migration.downgrade(self.engine, step.down_revision or 'base')
            self.assertEqual(before, self.database.schema())
            migration.upgrade(self.engine, step.revision)
            self.assertEqual(after, self.database.schema())


class ModelTest(testtools.TestCase):

    def differences(self, engine):
        metadata = sqlalchemy.MetaData()
        for table in models.metadata.tables.values():
            table.to_metadata(metadata)
        sqlalchemy.Table('stack', metadata, *models.stack_columns())
        with engine.connect() as connection:
            context = alembic_migration.MigrationContext.configure(
                connection, opts={'compare_type': True,
                                  'include_object': self.is_ours})
            return autogenerate.compare_metadata(context, metadata)

    @staticmethod
    def is_ours(element, name, kind, reflected, compared_to):
        """Leave out the tables and columns of Heat."""
        if kind == 'table':
            return name == 'stack' or name.startswith('heat_extras_')
        if element.table.name == 'stack':
            return name in COLUMNS
        return True

    def test_migrated_schema_matches_models(self):
        database = self.useFixture(base.HeatDatabase(extended=True))
        self.assertEqual([], self.differences(database.engine))

    def test_missing_columns_and_tables_are_detected(self):
        database = self.useFixture(base.HeatDatabase())
        kinds = [change[0] for change in self.differences(database.engine)]
        self.assertEqual(len(COLUMNS), kinds.count('add_column'))
        self.assertEqual(len(TABLES), kinds.count('add_table'))


class FindEnvironmentTest(testtools.TestCase):

    def test_missing_migrations_error_names_directory(self):
        with mock.patch('os.path.isfile', return_value=False):
            error = self.assertRaises(
                migration.MigrationsMissing, migration.find_environment)
        self.assertIn('heat_extras/db_migrations', str(error))
