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

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import operations
from tests.unit.db import base


class PurgeTest(testtools.TestCase):

    def test_only_rows_of_stacks_that_are_gone(self):
        database = self.useFixture(base.HeatDatabase())
        migration.upgrade(database.engine)
        database.add_stack('1', name='web')
        with database.engine.begin() as connection:
            connection.execute(
                sqlalchemy.insert(models.operation_table), [
                    {'id': f'of-{stack_id}', 'stack_id': stack_id,
                     'action': 'UPDATE', 'engine_id': 'e',
                     'phase': 'running'} for stack_id in ('1', '2')])
        self.assertEqual(1, operations.purge(database.engine))
        row, = database.rows('heat_extras_operation')
        self.assertEqual('of-1', row['id'])
