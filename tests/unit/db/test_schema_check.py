# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import sqlalchemy
import testtools

from heat_extras.db import models
from heat_extras.db import schema_check


class ListMissingTest(testtools.TestCase):

    def test_all_columns_and_tables_are_missing_without_heat(self):
        engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(engine.dispose)
        self.assertEqual(len(models.stack_columns())
                         + len(models.metadata.tables),
                         len(schema_check.list_missing(engine)))

    def test_schema_check_does_not_import_alembic(self):
        loaded = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c',
             'import sys; from heat_extras.db import schema_check; '
             'print("alembic" in sys.modules)'],
            capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual('False\n', loaded.stdout)
