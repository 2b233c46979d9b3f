# SPDX-License-Identifier: Apache-2.0

import datetime
import json

import testtools

from heat_extras.db import guarded
from tests.unit.db import base

STAYS = {'heat_template_version': '2018-08-31', 'parameters': {
    'key': {'type': 'string', 'updatable': False}}}
ALLOWS = {'heat_template_version': '2018-08-31', 'resources': {
    'db': {'type': 'a', 'update_policy': {'allow': {'replace': False}}}}}
SPEAKS = {'heat_template_version': '2018-08-31',
          'description': 'of "updatable": false and "allow": all'}


class GuardedTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase(extended=True))
        self.connection = self.database.engine.connect()
        self.addCleanup(self.connection.close)

    def add(self, stack_id, template=None, **values):
        number, = self.database.insert('raw_template', {
            'template': json.dumps(template)})
        self.database.add_stack(stack_id, raw_template_id=number, **values)

    def count(self, feature):
        return guarded.count(self.connection, feature)

    def values(self, column):
        return {row['id']: row[column] for row in self.database.rows('stack')}


class CountTest(GuardedTest):

    def test_parameters_that_have_to_stay(self):
        for stack_id, template in (('1', STAYS), ('2', STAYS), ('3', SPEAKS),
                                   ('4', ALLOWS)):
            # The column also tells of Heat's own word.
            self.add(stack_id, template, updatable='{"key": false}')
        self.add('5', STAYS, updatable='{"key": false}', backup=True)
        self.add('6', STAYS, updatable='{"key": false}',
                 deleted_at=datetime.datetime(2026, 1, 1))
        self.assertEqual(2, self.count('parameters'))
        row, = guarded.some(self.connection, 'parameters', 1)
        self.assertEqual(('1', 'web'), (row.id, row.name))

    def test_policies(self):
        # What is around a policy, and inside, is marked as well.
        self.add('1', STAYS, has_update_policy=True)
        self.add('2', ALLOWS, has_update_policy=True, owner_id='1')
        self.add('3', SPEAKS, has_update_policy=True)
        self.assertEqual(1, self.count('update_policy'))

    def test_locks_of_whole_trees(self):
        self.add('1', lock_level='stacks')
        self.add('2', lock_level='stacks', owner_id='1')
        self.add('3')
        self.assertEqual(1, self.count('stack_lock'))

    def test_nothing(self):
        self.add('1', STAYS)
        for feature in guarded.FEATURES:
            self.assertEqual(0, self.count(feature))

    def test_stored_templates_whatever_the_columns_say(self):
        for stack_id, template in enumerate((STAYS, ALLOWS, SPEAKS)):
            self.add(str(stack_id), template)
        self.assertEqual(2, guarded.count_templates(self.connection))


class WriteTest(GuardedTest):

    def test_a_policy_is_made_known_around_and_inside(self):
        self.add('root')
        self.add('one', owner_id='root')
        self.add('inside', owner_id='one')
        self.add('two', owner_id='root')
        guarded.mark(self.connection, 'one')
        self.connection.commit()
        self.assertEqual({'root': True, 'one': True, 'inside': True,
                          'two': None}, self.values('has_update_policy'))

    def test_the_stored_template_decides(self):
        self.add('1', STAYS)
        self.add('2', STAYS)
        guarded.write_updatable(
            self.connection, '1', lambda template: template['parameters'])
        self.connection.commit()
        self.assertEqual({'1': json.dumps(STAYS['parameters']), '2': None},
                         self.values('updatable'))


class IsThereTest(testtools.TestCase):

    def test_before_db_sync_and_after(self):
        for extended in (False, True):
            database = self.useFixture(base.HeatDatabase(extended=extended))
            with database.engine.connect() as connection:
                self.assertEqual(extended, guarded.is_there(connection))
