# SPDX-License-Identifier: Apache-2.0

import sqlite3

import sqlalchemy

from heat_extras.cmd import cli_config
from tests.unit.cmd import base


class ConnectTest(base.CommandTestCase):

    def test_sqlite_transaction_starts_with_write_lock(self):
        conf = cli_config.parse_command_line('heat-extras-manage', [
            '--config-file', self.write_config(self.database.url), 'any'],
            lambda parsers: parsers.add_parser('any'))
        engine = cli_config.connect(conf)
        self.addCleanup(engine.dispose)
        other = sqlite3.connect(engine.url.database, timeout=0,
                                isolation_level=None)
        self.addCleanup(other.close)
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text('SELECT 1'))
            self.assertRaises(sqlite3.OperationalError,
                              other.execute, 'BEGIN IMMEDIATE')
        other.execute('BEGIN IMMEDIATE')
