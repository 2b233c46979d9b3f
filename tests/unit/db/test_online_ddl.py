# SPDX-License-Identifier: Apache-2.0
from oslo_db import exception as db_exception
import sqlalchemy
import testtools

from heat_extras.db import online_ddl


def error_of(*arguments):
    """Return the error that SQLAlchemy raises for a server error."""
    return sqlalchemy.exc.OperationalError(
        'ALTER', {}, Exception(*arguments))


class RefusalReasonTest(testtools.TestCase):

    def test_refusal_reason_is_message_of_server(self):
        words = 'ALGORITHM=INSTANT is not supported. Try ALGORITHM=COPY.'
        error = error_of(1846, words)
        self.assertEqual(words[:-1], online_ddl.refusal_reason(error))
        self.assertEqual(
            words[:-1], online_ddl.refusal_reason(db_exception.DBError(error)))

    def test_unknown_code_naming_algorithm_is_refusal(self):
        self.assertEqual('Try ALGORITHM=COPY', online_ddl.refusal_reason(
            error_of(4999, 'Try ALGORITHM=COPY')))

    def test_row_size_too_large_is_refusal(self):
        self.assertEqual('Row size too large', online_ddl.refusal_reason(
            error_of(1118, 'Row size too large.')))

    def test_other_errors_have_no_refusal_reason(self):
        self.assertIsNone(online_ddl.refusal_reason(
            error_of(1142, 'ALTER denied')))
        self.assertIsNone(online_ddl.refusal_reason(db_exception.DBError()))


class ShortWaitTransactionTest(testtools.TestCase):
    """Tests with a server: tests.database.test_lock_wait_timeout."""

    def setUp(self):
        super().setUp()
        self.engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(self.engine.dispose)

    def fail_with(self, error):
        with online_ddl.short_wait_transaction(self.engine):
            raise error

    def test_transaction_is_committed(self):
        with online_ddl.short_wait_transaction(self.engine) as connection:
            connection.execute(sqlalchemy.text('CREATE TABLE one (id INT)'))
        self.assertTrue(sqlalchemy.inspect(self.engine).has_table('one'))

    def test_lock_wait_timeout_raises_table_busy(self):
        error = self.assertRaises(
            online_ddl.TableBusy, self.fail_with,
            sqlalchemy.exc.OperationalError(
                'ALTER', {}, Exception(1205, 'Lock wait timeout exceeded')))
        self.assertIn('used the table for 10 s', str(error))

    def test_other_errors_are_raised(self):
        self.assertRaises(ValueError, self.fail_with, ValueError(1206))
