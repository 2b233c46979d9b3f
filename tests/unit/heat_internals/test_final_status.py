# SPDX-License-Identifier: Apache-2.0
from unittest import mock

from oslo_db import exception as db_exception
import testtools

from heat_extras.heat_internals import final_status
from tests.unit.db import test_connection_errors

PLAIN = ('Stack UPDATE FAILED. The reason could not be stored: it is in the '
         'log of heat-engine.')


class FinalStatusTest(testtools.TestCase):

    def original(self, *results):
        return mock.Mock(side_effect=results)

    def write(self, original, reason='no'):
        return final_status.write_status(original, 'UPDATE', 'FAILED', reason)

    def test_status_reason_is_escaped(self):
        original = self.original(True)
        self.assertTrue(self.write(original, 'no\0'))
        original.assert_called_once_with('UPDATE', 'FAILED', r'no\x00')

    def test_unstorable_reason_is_replaced_with_plain_text(self):
        for error in (db_exception.DBDataError(), db_exception.DBError(),
                      db_exception.DBInvalidUnicodeParameter(),
                      ValueError(), TypeError(),
                      UnicodeEncodeError('utf-8', '', 0, 1, '')):
            original = self.original(error, True)
            self.assertTrue(self.write(original))
            self.assertEqual(mock.call('UPDATE', 'FAILED', PLAIN),
                             original.mock_calls[-1])

    def test_status_is_written_at_most_twice(self):
        original = self.original(ValueError, ValueError, True)
        self.assertRaises(ValueError, self.write, original)
        self.assertEqual(2, original.call_count)

    def test_other_errors_are_raised_without_second_write(self):
        for error in (db_exception.DBConnectionError(),
                      db_exception.DBDeadlock(), KeyError(), SystemExit()):
            self.assert_passed_on(error)

    def test_unavailable_database_causes_no_second_write(self):
        # oslo.db does not recognize the message of a new libpq.
        refused = test_connection_errors.PostgreSQLs(
            test_connection_errors.REFUSED)
        self.assert_passed_on(test_connection_errors.wrapped(refused))

    def assert_passed_on(self, error):
        for write in (self.write, self.keep):
            original = self.original(error, True)
            self.assertRaises(type(error), write, original)
            self.assertEqual(1, original.call_count)

    def keep(self, original):
        return final_status.write_stack(mock.Mock(status_reason='no'),
                                        original)

    def test_stack_is_stored_with_plain_reason(self):
        stack = mock.Mock(action='UPDATE', status='FAILED',
                          status_reason='no\0')
        seen = []

        def store(backup):
            seen.append(stack.status_reason)
            if len(seen) == 1:
                raise db_exception.DBDataError()
            return backup

        self.assertTrue(final_status.write_stack(stack, store, True))
        self.assertEqual([r'no\x00', PLAIN], seen)
