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


import sqlalchemy
import testtools

from heat_extras.db import patience


class ShortTest(testtools.TestCase):
    """What needs a server is in tests.databases.test_patience."""

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
