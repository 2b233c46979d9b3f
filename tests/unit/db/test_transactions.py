# SPDX-License-Identifier: Apache-2.0

"""Retries of database writers.

Tests with database servers: tests/database/test_failing_steps.py.
"""

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
from oslo_db import exception as db_exception
import pymysql
import sqlalchemy.exc
import testtools

from heat_extras.db import transactions


def of_driver(number):
    """Return the error of a statement as oslo.db raises it."""
    return sqlalchemy.exc.OperationalError(
        'COMMIT', {}, pymysql.err.OperationalError(number, 'words'))


class OnDatabaseErrorTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name, value in (('db_retry_interval', 0), ('db_max_retries', 2)):
            cfg.CONF.set_override(name, value, 'database')
            self.addCleanup(cfg.CONF.clear_override, name, 'database')
        self.useFixture(fixtures.MockPatch('oslo_db.api.time.sleep'))

    def tries(self, error, times):
        """Fail *times* times, and return the number of attempts."""
        tried = []

        @transactions.on_db_error
        def write(context):
            tried.append(context)
            if len(tried) <= times:
                raise error
            return 'written'
        try:
            self.assertEqual('written', write('context'))
        finally:
            self.tried = len(tried)
        return self.tried

    def test_errors_of_node_without_quorum_are_retried(self):
        for error in (of_driver(1180), of_driver(1927),
                      db_exception.DBConnectionError(of_driver(1047)),
                      db_exception.DBDeadlock(of_driver(1213))):
            self.assertEqual(2, self.tries(error, 1))

    def test_original_error_is_raised_after_last_retry(self):
        error = of_driver(1180)
        self.assertIs(error, self.assertRaises(
            sqlalchemy.exc.OperationalError, self.tries, error, 9))
        self.assertEqual(3, self.tried)

    def test_other_errors_are_not_retried(self):
        self.assertRaises(sqlalchemy.exc.OperationalError, self.tries,
                          of_driver(1064), 1)
        self.assertEqual(1, self.tried)

    def test_without_retry_returns_undecorated_function(self):
        def write(context):
            raise of_driver(1180)
        self.assertIs(write, transactions.without_retry(
            transactions.on_db_error(write)))
