# SPDX-License-Identifier: Apache-2.0

"""Operator commands do not wait for stacks that they do not change.

A command that waits for a row makes Heat wait for its locked rows.
"""

import datetime

from heat.db import models as heat_models
import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.db import purge
from heat_extras import features
from tests.database import base
from tests.harness import databases

_LONG_AGO = datetime.datetime(2020, 1, 1)
_IMPATIENT = {
    'mysql': {'init_command': 'SET SESSION innodb_lock_wait_timeout = 1'},
    'postgresql': {'options': '-c lock_timeout=1s'}}


class UnrelatedStacksTest(base.DatabaseTest):

    scenarios = databases.SERVERS

    def setUp(self):
        super().setUp()
        heats = self.engine
        self.engine = sqlalchemy.create_engine(
            heats.url, poolclass=sqlalchemy.NullPool,
            connect_args=_IMPATIENT[heats.dialect.name])
        self.locked = self.stacks.add_stack(
            lock_level='stacks', lock_id='l')
        self.protected = self.stacks.add_stack(delete_protection_id='p')
        self.hold(heats, self.stacks.add_stack())

    def hold(self, engine, stack_id):
        """Lock a stack's row in a transaction that is not committed."""
        other = engine.connect()
        self.addCleanup(other.close)
        other.begin()
        other.execute(
            sql.select(heat_models.Stack.id)
            .where(heat_models.Stack.id == stack_id).with_for_update())
        self.held = stack_id

    def insert(self, table, **values):
        with self.engine.begin() as connection:
            connection.execute(sql.insert(table).values(values))

    def rows(self, table):
        with self.engine.begin() as connection:
            return connection.execute(sql.select(table)).all()

    def test_unlock_all(self):
        self.insert(models.guard_table, id='l', kind=models.LOCK,
                    stack_id=self.locked)
        operator_locks.remove_all(self.engine, models.LOCK)
        row = self.stacks.row(heat_models.Stack, self.locked)
        self.assertIsNone(row.lock_level)
        self.assertEqual([], self.rows(models.guard_table))

    def test_unprotect_all(self):
        operator_locks.remove_all(self.engine, models.DELETE_PROTECTION)
        row = self.stacks.row(heat_models.Stack, self.protected)
        self.assertIsNone(row.delete_protection_id)

    def test_purge(self):
        for number, stack_id in enumerate((self.held, 'gone')):
            self.insert(models.mark_table, resource_id=number,
                        stack_id=stack_id)
            self.insert(models.counter_table, stack_id=stack_id,
                        event='refused', operation='update', count=1)
            self.insert(models.operation_table, id=f'o{number}',
                        stack_id=stack_id, action='UPDATE', engine_id='e',
                        phase='begun', started_at=_LONG_AGO)
        self.assertEqual(3, purge.purge_tables(self.engine,
                                               features.all_features()))
        for table in models.mark_table, models.operation_table:
            row, = self.rows(table)
            self.assertEqual(self.held, row.stack_id)
        self.assertEqual({self.held, ''}, {
            row.stack_id for row in self.rows(models.counter_table)})
