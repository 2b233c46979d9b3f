# SPDX-License-Identifier: Apache-2.0

from oslo_db import exception as db_exception
import sqlalchemy
import testtools

from heat_extras.db import instant


def error_of(*arguments):
    """Make what SQLAlchemy raises for an error of the server."""
    return sqlalchemy.exc.OperationalError(
        'ALTER', {}, Exception(*arguments))


class RefusalTest(testtools.TestCase):

    def test_is_told_in_the_servers_words(self):
        words = 'ALGORITHM=INSTANT is not supported. Try ALGORITHM=COPY.'
        error = error_of(1846, words)
        self.assertEqual(words[:-1], instant.refusal(error))
        self.assertEqual(
            words[:-1], instant.refusal(db_exception.DBError(error)))

    def test_unknown_code_that_names_an_algorithm_is_one(self):
        self.assertEqual('Try ALGORITHM=COPY', instant.refusal(
            error_of(4999, 'Try ALGORITHM=COPY')))

    def test_rows_that_are_full_of_dropped_columns_are_one(self):
        self.assertEqual('Row size too large', instant.refusal(
            error_of(1118, 'Row size too large.')))

    def test_another_error_is_none(self):
        self.assertIsNone(instant.refusal(error_of(1142, 'ALTER denied')))
        self.assertIsNone(instant.refusal(db_exception.DBError()))
