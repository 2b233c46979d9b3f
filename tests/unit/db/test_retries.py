# SPDX-License-Identifier: Apache-2.0

"""How often a writer is tried; tests/database/test_failing_steps.py writes."""

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
from oslo_db import exception as db_exception
import pymysql
import sqlalchemy.exc
import testtools

from heat_extras.db import retries


def of_driver(number):
    """Make the error of a statement as oslo.db leaves it."""
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
        """Fail so often, and return how often it was tried."""
        tried = []

        @retries.on_db_error
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

    def test_what_a_node_without_quorum_says_is_tried_again(self):
        for error in (of_driver(1180), of_driver(1927),
                      db_exception.DBConnectionError(of_driver(1047)),
                      db_exception.DBDeadlock(of_driver(1213))):
            self.assertEqual(2, self.tries(error, 1))

    def test_in_the_end_the_error_itself_is_raised(self):
        error = of_driver(1180)
        self.assertIs(error, self.assertRaises(
            sqlalchemy.exc.OperationalError, self.tries, error, 9))
        self.assertEqual(3, self.tried)

    def test_others_are_not(self):
        self.assertRaises(sqlalchemy.exc.OperationalError, self.tries,
                          of_driver(1064), 1)
        self.assertEqual(1, self.tried)

    def test_a_transaction_of_the_callers_is_the_callers_to_try_again(self):
        def write(context):
            raise of_driver(1180)
        self.assertIs(write, retries.without_retry(retries.on_db_error(write)))
