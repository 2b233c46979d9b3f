# SPDX-License-Identifier: Apache-2.0

import sqlalchemy
import testtools

from heat_extras.db import patience


class ShortTest(testtools.TestCase):
    """What needs a server is in tests.database.test_patience."""

    def setUp(self):
        super().setUp()
        self.engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(self.engine.dispose)

    def fail_with(self, error):
        with patience.short(self.engine):
            raise error

    def test_commits(self):
        with patience.short(self.engine) as connection:
            connection.execute(sqlalchemy.text('CREATE TABLE one (id INT)'))
        self.assertTrue(sqlalchemy.inspect(self.engine).has_table('one'))

    def test_a_timeout_tells_what_to_do(self):
        error = self.assertRaises(
            patience.TableBusy, self.fail_with,
            sqlalchemy.exc.OperationalError(
                'ALTER', {}, Exception(1205, 'Lock wait timeout exceeded')))
        self.assertIn('Waited 10 s', str(error))

    def test_another_error_comes_up(self):
        self.assertRaises(ValueError, self.fail_with, ValueError(1206))
