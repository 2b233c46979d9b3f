# SPDX-License-Identifier: Apache-2.0

import datetime

from oslo_utils import timeutils
import sqlalchemy
import testtools

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import operations
from tests.unit.db import base


LONG_AGO = datetime.datetime(2026, 1, 1)


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
                     'phase': 'running', 'started_at': LONG_AGO}
                    for stack_id in ('1', '2')])
            # Of a stack that is gone, too: an engine is to tell of its end.
            connection.execute(
                sqlalchemy.insert(models.operation_table).values(
                    id='young', stack_id='2', action='UPDATE', engine_id='e',
                    phase='running', started_at=timeutils.utcnow()))
        self.assertEqual(1, operations.purge(database.engine))
        self.assertEqual({'of-1', 'young'}, {
            row['id'] for row in database.rows('heat_extras_operation')})
