# SPDX-License-Identifier: Apache-2.0
import datetime

from oslo_utils import timeutils
import sqlalchemy
import testtools

from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import purge
from heat_extras import features
from tests.unit.db import base


# Tables that other functions purge.
_OTHERWISE = {models.counter_table, models.operation_table}


class PurgeTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase())
        migration.upgrade(self.database.engine)

    def test_purge_of_all_features_keeps_rows_of_existing_stacks(self):
        self.database.add_stack('alive')
        self.database.add_locked_stack('deleted')
        then = self.database.rows('heat_extras_guard')[0]['set_at']
        self.database.add_stack('soft-deleted', deleted_at=then)
        for number, stack_id in enumerate(
                ('alive', 'soft-deleted', 'never-heard-of')):
            self.database.insert('heat_extras_ignored_signal', {
                'resource_id': number, 'stack_id': stack_id,
                'resource_name': 'policy', 'count': 3})
        for number, stack_id in enumerate(('alive', 'never-heard-of')):
            self.database.insert('heat_extras_mark', {
                'resource_id': number, 'stack_id': stack_id})
            self.database.insert('heat_extras_protection', {
                'resource_id': number, 'stack_id': stack_id,
                'root_id': stack_id, 'state': 'protected'})
            # Two features use this table. Its rows are counted once.
            self.database.insert('heat_extras_baseline', {
                'stack_id': stack_id, 'kind': 'resources',
                'update_key': 'u'})
        self.assertEqual(5, purge.purge_tables(self.database.engine,
                                               features.all_features()))
        for table in ('heat_extras_ignored_signal', 'heat_extras_mark',
                      'heat_extras_protection', 'heat_extras_baseline'):
            row, = self.database.rows(table)
            self.assertEqual('alive', row['stack_id'])

    def test_purge_of_single_feature_keeps_other_tables(self):
        self.database.insert('heat_extras_mark',
                             {'resource_id': 1, 'stack_id': '1'})
        self.database.insert('heat_extras_ignored_signal', {
            'resource_id': 1, 'stack_id': '1', 'resource_name': 'policy',
            'count': 3})
        health = features.FEATURES['health']
        self.assertEqual(1, purge.purge_tables(self.database.engine, [health]))
        self.assertEqual([], self.database.rows('heat_extras_mark'))
        self.assertEqual(
            1, len(self.database.rows('heat_extras_ignored_signal')))

    def test_every_table_with_stack_ids_belongs_to_feature(self):
        kept = {table for each in features.all_features()
                for table in each.keeps}
        self.assertEqual(
            {table for table in models.metadata.tables.values()
             if 'stack_id' in table.columns}, kept | _OTHERWISE)
        self.assertEqual(set(), kept & _OTHERWISE)


LONG_AGO = datetime.datetime(2026, 1, 1)


class DeleteOperationsTest(testtools.TestCase):

    def test_only_old_operations_of_deleted_stacks_are_removed(self):
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
            # The stack is deleted, but an engine may still report the end.
            connection.execute(
                sqlalchemy.insert(models.operation_table).values(
                    id='young', stack_id='2', action='UPDATE', engine_id='e',
                    phase='running', started_at=timeutils.utcnow()))
        self.assertEqual(1, purge.delete_operations(database.engine))
        self.assertEqual({'of-1', 'young'}, {
            row['id'] for row in database.rows('heat_extras_operation')})
