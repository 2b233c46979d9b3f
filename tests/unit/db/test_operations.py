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
            connection.execute(
                sqlalchemy.insert(models.placement_table), [
                    {'stack_id': stack_id, 'resource_name': 'a',
                     'resource_digest': 'of a',
                     'operation_id': '', 'root_id': '1', 'group_name': 'g',
                     'resource_type': 'X', 'rack': 'r'}
                    for stack_id in ('', '1', '2')])
        self.assertEqual(2, operations.purge(database.engine))
        self.assertEqual({'', '1'}, {
            row['stack_id'] for row in database.rows(
                'heat_extras_placement')})
        self.assertEqual({'of-1', 'young'}, {
            row['id'] for row in database.rows('heat_extras_operation')})
