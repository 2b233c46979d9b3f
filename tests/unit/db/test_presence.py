# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import sqlalchemy
import testtools

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import presence
from tests.unit.db import base


class MissingTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.engine = self.useFixture(base.HeatDatabase()).engine

    def test_missing_looks_at_the_tables_not_at_the_version(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            for statement in ('DROP TABLE heat_extras_engine',
                              'ALTER TABLE stack DROP COLUMN lock_level'):
                connection.execute(sqlalchemy.text(statement))
        self.assertEqual(['stack.lock_level', 'heat_extras_engine'],
                         presence.missing(self.engine))

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
