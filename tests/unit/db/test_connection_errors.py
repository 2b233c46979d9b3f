# SPDX-License-Identifier: Apache-2.0

"""Errors that show that the database is unavailable."""
from unittest import mock

from oslo_db import exception as db_exception
import sqlalchemy
import testtools

from heat_extras.db import connection_errors


REFUSED = ('connection to server at "127.0.0.1", port 5432 failed: '
           'Connection refused')


class PostgreSQLs(Exception):
    """A stand-in for psycopg2.OperationalError."""

    def __init__(self, text, pgcode=None):
        super().__init__(text)
        self.pgcode = pgcode


def wrapped(error, kind=sqlalchemy.exc.OperationalError, **options):
    """Wrap a driver's error as SQLAlchemy does."""
    return kind('SELECT', {}, error, **options)


def because_of(error):
    """Return an error with another error as its cause."""
    try:
        raise RuntimeError() from error
    except RuntimeError as found:
        return found


class IsUnavailableTest(testtools.TestCase):

    def assert_away(self, is_away, *errors):
        self.assertEqual([], [
            each for each in errors
            if bool(connection_errors.is_unavailable(each)) != is_away])

    def test_oslo_db_connection_error_is_unavailable(self):
        self.assert_away(True, db_exception.DBConnectionError('gone'))

    def test_invalidated_connection_is_unavailable(self):
        self.assert_away(True, wrapped(
            Exception('closed'), sqlalchemy.exc.InterfaceError,
            connection_invalidated=True))

    def test_unreachable_postgresql_is_unavailable(self):
        self.assert_away(
            True, wrapped(PostgreSQLs(REFUSED)),
            *(wrapped(PostgreSQLs('FATAL', code)) for code in (
                '08006', '53300', '57P01', '57P03')))

    def test_mysql_that_rejects_connections_is_unavailable(self):
        self.assert_away(True, *(wrapped(Exception(code, 'no')) for code in (
            1040, 1053, 1927)))

    def test_cause_of_other_error_is_unavailable(self):
        error = wrapped(PostgreSQLs(REFUSED))
        self.assert_away(True, db_exception.DBError(error), because_of(error),
                         because_of(db_exception.DBError(error)))

    def test_statement_errors_are_not_unavailable(self):
        timeout = wrapped(PostgreSQLs('lock timeout', '55P03'))
        self.assert_away(
            False, timeout, db_exception.DBError(timeout),
            db_exception.DBDeadlock(wrapped(PostgreSQLs('dead', '40P01'))),
            wrapped(PostgreSQLs('no'), sqlalchemy.exc.DataError),
            wrapped(Exception(1205, 'Lock wait timeout exceeded')),
            wrapped(Exception()), ValueError('connection refused'),
            PostgreSQLs('not from a database'), None)

    def test_circular_causes_are_not_unavailable(self):
        first, other = Exception(), Exception()
        first.__cause__, other.__cause__ = other, first
        self.assert_away(False, first)


class RetryUntilAvailableTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        patcher = mock.patch('tenacity.nap.time.sleep')
        self.sleep = patcher.start()
        self.addCleanup(patcher.stop)

    def call(self, *results):
        function = mock.Mock(side_effect=results)
        return function, connection_errors.retry_until_available(
            lambda: function())

    def test_call_is_retried_until_database_is_available(self):
        away = wrapped(PostgreSQLs(REFUSED))
        function, write = self.call(away, away, 'written')
        self.assertEqual('written', write())
        self.assertEqual(2, self.sleep.call_count)

    def test_other_database_errors_are_not_retried(self):
        function, write = self.call(db_exception.DBDataError(), 'written')
        self.assertRaises(db_exception.DBDataError, write)

    def test_retries_end_at_stop_condition(self):
        function, write = self.call(db_exception.DBConnectionError('gone'))
        with mock.patch.object(write.retry, 'stop', return_value=True):
            self.assertRaises(db_exception.DBConnectionError, write)


class DriverErrorTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.own = Exception(1205, 'Lock wait timeout exceeded')
        self.wrapped = sqlalchemy.exc.OperationalError('ALTER', {}, self.own)

    def test_driver_error_of_sqlalchemy_error(self):
        self.assertIs(self.own, connection_errors.driver_error(self.wrapped))

    def test_driver_error_of_oslo_db_error(self):
        self.assertIs(self.own, connection_errors.driver_error(
            db_exception.DBDeadlock(self.wrapped)))

    def test_driver_error_of_driver_error_is_itself(self):
        self.assertIs(self.own, connection_errors.driver_error(self.own))
