# SPDX-License-Identifier: Apache-2.0

"""A transaction of another user that blocks the change of a table."""

import fixtures
from heat.db import migration as heat_migration
import sqlalchemy
import testscenarios
import testtools

from heat_extras.cmd import manage
from heat_extras.db import migration
from heat_extras.db import online_ddl
from heat_extras.db import schema_check
from tests.harness import databases


class LockWaitTimeoutTest(testscenarios.WithScenarios, testtools.TestCase):

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.New(self.kind))
        self.engine = self.database.engine
        heat_migration.db_sync(engine=self.engine)
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.db.online_ddl.LOCK_WAIT_SECONDS', 1))
        self.other = self.engine.connect()
        self.addCleanup(self.other.close)

    def look(self):
        """Open a transaction that has read Heat's stacks."""
        self.other.begin()
        self.other.execute(sqlalchemy.text('SELECT id FROM stack'))

    def test_upgrade_fails_if_table_is_busy(self):
        self.look()
        error = self.assertRaises(
            online_ddl.TableBusy, migration.upgrade, self.engine)
        self.assertIn('run the command again', str(error))
        self.other.rollback()
        migration.upgrade(self.engine)
        self.assertEqual([], schema_check.list_missing(self.engine))

    def test_downgrade_fails_if_table_is_busy(self):
        migration.upgrade(self.engine)
        self.look()
        self.assertRaises(
            online_ddl.TableBusy, migration.downgrade, self.engine)
        self.other.rollback()
        migration.downgrade(self.engine)
        self.assertIsNone(migration.read_revision(self.engine))

    def test_db_sync_error_states_remedy(self):
        config = self.useFixture(databases.Configuration(self.database.url))
        self.look()
        error = self.assertRaises(
            SystemExit, manage.main, [*config.arguments, 'db_sync'])
        self.assertIn('SHOW FULL PROCESSLIST', str(error))

    def test_lock_wait_timeout_is_restored(self):
        engine = sqlalchemy.create_engine(self.database.url, pool_size=1)
        self.addCleanup(engine.dispose)
        name = {'mysql': '@@lock_wait_timeout',
                'postgresql': "current_setting('lock_timeout')"}
        query = sqlalchemy.text('SELECT ' + name[engine.dialect.name])
        with engine.connect() as connection:
            before = connection.scalar(query)
        migration.upgrade(engine)
        with engine.connect() as connection:
            self.assertEqual(before, connection.scalar(query))
