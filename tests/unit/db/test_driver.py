# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


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
