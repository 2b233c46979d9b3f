# SPDX-License-Identifier: Apache-2.0

import sqlite3

import sqlalchemy
import testtools

from heat_extras.cmd import cli_config
from heat_extras import operator_errors
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


class ErrorTextTest(testtools.TestCase):

    def test_error_has_one_escaped_line_for_each_problem(self):
        self.assertEqual(r'x: a\x1b[2J',
                         cli_config.error_text(
                             'x', ValueError('a\x1b[2J\nb')))
        self.assertEqual('x: ValueError',
                         cli_config.error_text('x', ValueError('')))
        self.assertEqual('x: one\nx: t\\nwo', cli_config.error_text(
            'x', operator_errors.ActivationError('one', 't\nwo')))
