# SPDX-License-Identifier: Apache-2.0

"""A database dump is the same before db_sync and after db_downgrade."""

import datetime
import os
import sqlite3

from heat.db import migration as heat_migration
from heat.db import models as heat_models
from oslo_serialization import jsonutils
import sqlalchemy
import testscenarios
import testtools

from heat_extras.cmd import manage
from heat_extras.db import models
from heat_extras.db import stack_columns
from tests.database import stack_rows
from tests.harness import command
from tests.harness import databases
from tests.harness.services import requirement

NOW = datetime.datetime(2026, 11, 20, 10, 2, 11)
SECONDS = 120


def dump(url):
    """Run the dump tool of a database.

    :returns: its lines, without what changes from run to run.
    """
    url = sqlalchemy.make_url(url)
    if url.get_backend_name() == 'sqlite':
        with sqlite3.connect(url.database) as connection:
            return list(connection.iterdump())
    server = ['--host', url.host, '--port', str(url.port)]
    if url.get_backend_name() == 'mysql':
        tool = requirement.find('mariadb-dump', 'mariadb-client')
        return _run([tool, *server, '--user', url.username,
                     '--skip-comments', url.database],
                    MYSQL_PWD=url.password)
    tool = requirement.find('pg_dump', 'postgresql-client',
                            '/usr/lib/postgresql/*/bin')
    # Newer ones begin and end with a word that is drawn each time.
    return [line for line in _run([tool, *server, '--username', url.username,
                                   url.database])
            if not line.startswith(('\\restrict', '\\unrestrict'))]


def _run(words, **environment):
    return command.check(
        words, environment=os.environ | environment).splitlines()


class DowngradeTest(testscenarios.WithScenarios, testtools.TestCase):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.New(self.kind))
        self.engine = self.database.engine
        heat_migration.db_sync(engine=self.engine)
        self.add_stacks()

    def manage(self, *words):
        configuration = self.useFixture(
            databases.Configuration(self.database.url))
        manage.main([*configuration.arguments, *words])

    def insert(self, table, **values):
        with self.engine.begin() as connection:
            return connection.execute(self.database.table(table).insert()
                                      .values(values)).inserted_primary_key

    def add_stacks(self):
        stack_columns.map_stack_columns()
        template = sqlalchemy.insert(
            heat_models.RawTemplate.__table__).values(template={})
        with self.engine.begin() as connection:
            key, = connection.execute(template).inserted_primary_key
        for stack_id, owner_id in (('root', None), ('nested', 'root')):
            self.insert('stack', id=stack_id, name=stack_id, action='CREATE',
                        status='COMPLETE', tenant=stack_rows.PROJECT,
                        owner_id=owner_id, raw_template_id=key,
                        disable_rollback=True, created_at=NOW)

    def use_everything(self):
        """Write a value into each column and table of heat-extras."""
        filled = {'lock_level': 'all', 'lock_id': 'x'}
        with self.engine.begin() as connection:
            connection.execute(
                self.database.table('stack').update().values(filled))
        for table in models.metadata.sorted_tables:
            self.insert(table.name, **{
                column.name: _value(column) for column in table.columns})

    def test_dump_after_downgrade_equals_dump_before_upgrade(self):
        before = dump(self.database.url)
        self.assertIn('nested', '\n'.join(before))
        self.manage('db_sync')
        self.use_everything()
        self.assertNotEqual(before, dump(self.database.url))
        self.assertRaises(SystemExit, self.manage, 'db_downgrade')
        self.manage('db_downgrade', '--unlock-all')
        self.assertEqual(before, dump(self.database.url))


def _value(column):
    if isinstance(column.type, sqlalchemy.DateTime):
        return NOW
    if isinstance(column.type, models.Json):
        return jsonutils.dumps({})
    kind = column.type.python_type
    return {int: 1, bool: True}.get(kind, 'x')
