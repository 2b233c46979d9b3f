# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import sqlalchemy
import testtools

from heat_extras.db import models
from heat_extras.db import presence


class MissingTest(testtools.TestCase):

    def test_missing_names_everything_where_there_is_no_heat(self):
        engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(engine.dispose)
        self.assertEqual(len(models.stack_columns())
                         + len(models.metadata.tables),
                         len(presence.missing(engine)))

    def test_an_engine_that_looks_does_not_load_alembic(self):
        loaded = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c',
             'import sys; from heat_extras.db import presence; '
             'print("alembic" in sys.modules)'],
            capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual('False\n', loaded.stdout)


class HasColumnTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(engine.dispose)
        self.connection = engine.connect()
        self.addCleanup(self.connection.close)
        self.statements = []
        self.execute('CREATE TABLE snapshot (id INTEGER)')
        sqlalchemy.event.listen(engine, 'before_cursor_execute', self.note)

    def execute(self, statement):
        self.connection.execute(sqlalchemy.text(statement))

    def note(self, connection, cursor, statement, *others):
        self.statements.append(statement)

    def has_action(self):
        return presence.has_column(self.connection, 'snapshot', 'action')

    def test_a_column_is_found_as_soon_as_it_is_added(self):
        self.assertFalse(self.has_action())
        self.execute('ALTER TABLE snapshot ADD COLUMN action VARCHAR(255)')
        self.assertTrue(self.has_action())

    def test_a_column_that_was_found_is_not_looked_for_again(self):
        self.execute('ALTER TABLE snapshot ADD COLUMN action VARCHAR(255)')
        self.has_action()
        self.statements.clear()
        self.assertTrue(self.has_action())
        self.assertEqual([], self.statements)
