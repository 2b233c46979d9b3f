# SPDX-License-Identifier: Apache-2.0

from oslo_db import exception as db_exception
import sqlalchemy
import testtools

from heat_extras.db import driver


class ErrorBehindTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.own = Exception(1205, 'Lock wait timeout exceeded')
        self.wrapped = sqlalchemy.exc.OperationalError('ALTER', {}, self.own)

    def test_behind_sqlalchemy(self):
        self.assertIs(self.own, driver.error_behind(self.wrapped))

    def test_behind_oslo_db(self):
        self.assertIs(self.own, driver.error_behind(
            db_exception.DBDeadlock(self.wrapped)))

    def test_of_its_own(self):
        self.assertIs(self.own, driver.error_behind(self.own))
