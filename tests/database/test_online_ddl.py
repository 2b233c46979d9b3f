# SPDX-License-Identifier: Apache-2.0

"""The ALTER of Heat's stack table is instant or is rejected."""

import time

from heat.db import migration as heat_migration
import sqlalchemy
import testscenarios
import testtools
from testtools import content

from heat_extras.cmd import manage
from heat_extras.db import migration
from heat_extras.db import online_ddl
from heat_extras.db import schema_check
from tests.database import statements
from tests.harness import databases

ROWS = 100_000
_NUMBERS = {'mysql': f'SELECT seq FROM seq_1_to_{ROWS}',
            'postgresql': f'SELECT generate_series(1, {ROWS}) AS seq'}


class InstantTest(testscenarios.WithScenarios, testtools.TestCase):

    scenarios = databases.MARIADBS

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.New(self.kind))
        self.engine = self.database.engine
        heat_migration.db_sync(engine=self.engine)

    def execute(self, statement, **parameters):
        with self.engine.begin() as connection:
            result = connection.execute(
                sqlalchemy.text(statement), parameters)
            return result.all() if result.returns_rows else None

    def compress(self):
        """Change Heat's table so that MariaDB must copy it."""
        self.execute('ALTER TABLE stack ROW_FORMAT=COMPRESSED')

    def table_id(self):
        """Return what InnoDB changes when it copies a table."""
        return self.execute(
            'SELECT table_id FROM information_schema.innodb_sys_tables '
            'WHERE name = :name', name=f'{self.engine.url.database}/stack')

    def columns(self):
        return {column['name'] for column in sqlalchemy.inspect(
            self.engine).get_columns('stack')}

    def alters(self, function, **options):
        """Return the statements that changed the table."""
        with statements.Statements(self.engine, ('ALTER',)) as sent:
            function(self.engine, **options)
        return sent.sent

    def test_upgrade_and_downgrade_use_one_instant_alter(self):
        before = self.table_id()
        for function in (migration.upgrade, migration.downgrade):
            alter, = self.alters(function)
            self.assertTrue(alter.endswith(', ALGORITHM=INSTANT'), alter)
        self.assertEqual(before, self.table_id())

    def test_upgrade_is_rejected_if_server_would_copy(self):
        self.compress()
        before = self.columns()
        error = self.assertRaises(
            online_ddl.NotInstant, migration.upgrade, self.engine)
        self.assertIn('--allow-copy', str(error))
        self.assertIn('ALGORITHM=INSTANT is not supported', str(error))
        self.assertEqual(before, self.columns())
        self.assertIsNone(migration.read_revision(self.engine))

    def test_allow_copy_permits_copying(self):
        self.compress()
        before = self.table_id()
        migration.upgrade(self.engine, allow_copy=True)
        self.assertEqual([], schema_check.list_missing(self.engine))
        self.assertNotEqual(before, self.table_id())
        self.assertRaises(
            online_ddl.NotInstant, migration.downgrade, self.engine)
        self.assertEqual([], schema_check.list_missing(self.engine))
        migration.downgrade(self.engine, allow_copy=True)
        self.assertNotEqual([], schema_check.list_missing(self.engine))

    def test_other_error_is_raised(self):
        self.execute('ALTER TABLE stack ADD COLUMN heat_extras INT')
        self.execute('ALTER TABLE stack RENAME COLUMN id TO lock_level_id')
        self.execute('RENAME TABLE stack TO stack_table')
        self.execute('CREATE VIEW stack AS SELECT * FROM stack_table')
        self.assertRaises(sqlalchemy.exc.DBAPIError, self.alters,
                          migration.upgrade)

    def test_db_sync_and_db_downgrade_require_allow_copy(self):
        self.compress()
        config = self.useFixture(databases.Configuration(self.database.url))
        error = self.assertRaises(
            SystemExit, manage.main, [*config.arguments, 'db_sync'])
        self.assertIn('--allow-copy', str(error))
        manage.main([*config.arguments, 'db_sync', '--allow-copy'])
        self.assertEqual([], schema_check.list_missing(self.engine))
        error = self.assertRaises(
            SystemExit, manage.main, [*config.arguments, 'db_downgrade'])
        self.assertIn('--allow-copy', str(error))
        manage.main([*config.arguments, 'db_downgrade', '--allow-copy'])
        self.assertIsNone(migration.read_revision(self.engine))


class ManyRowsTest(testscenarios.WithScenarios, testtools.TestCase):
    """How long it takes on many rows: reported, not asserted."""

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        database = self.useFixture(databases.New(self.kind))
        self.engine = database.engine
        heat_migration.db_sync(engine=self.engine)
        self.fill()

    def fill(self):
        numbers = _NUMBERS[self.engine.dialect.name]
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                "INSERT INTO raw_template (id, template) VALUES (1, '{}')"))
            connection.execute(sqlalchemy.text(
                'INSERT INTO stack (id, name, raw_template_id, tenant, '
                'disable_rollback, action, status, status_reason, '
                'current_deps, updated_at) '
                "SELECT CONCAT('stack-', seq), CONCAT('name-', seq), 1, "
                "'demo', true, 'CREATE', 'COMPLETE', "
                "'Stack CREATE completed successfully', '{}', NOW() "
                f'FROM ({numbers}) AS numbers'))

    def measure(self, description, function, **options):
        start = time.monotonic()
        with statements.Durations(self.engine, ('ALTER',)) as alters:
            function(self.engine, **options)
        took = time.monotonic() - start
        words = (
            f'{self.kind}, {ROWS} stacks, {description}: {took:.2f} s, of '
            f'which ALTER: {alters.seconds:.3f} s')
        self.addDetail(description, content.text_content(words))
        print(words)

    def test_duration_of_upgrade_and_downgrade(self):
        self.measure('upgrade', migration.upgrade)
        self.assertEqual([], schema_check.list_missing(self.engine))
        self.measure('downgrade', migration.downgrade)

    def test_duration_of_upgrade_with_copy(self):
        if self.engine.dialect.name != 'mysql':
            self.skipTest('Nothing is copied on this server.')
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'ALTER TABLE stack ROW_FORMAT=COMPRESSED'))
        self.measure('upgrade with a copy', migration.upgrade,
                     allow_copy=True)
