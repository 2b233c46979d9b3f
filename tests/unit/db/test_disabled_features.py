# SPDX-License-Identifier: Apache-2.0

import datetime
import json

import sqlalchemy
import testtools

from heat_extras.db import disabled_features
from heat_extras.db import models
from tests.unit.db import base
from tests.unit.db import test_live_engines

STAYS = {'heat_template_version': '2018-08-31', 'parameters': {
    'key': {'type': 'string', 'updatable': False}}}
ALLOWS = {'heat_template_version': '2018-08-31', 'resources': {
    'db': {'type': 'a', 'update_policy': {'allow': {'replace': False}}}}}
SPEAKS = {'heat_template_version': '2018-08-31',
          'description': 'of "updatable": false and "allow": all'}


class DisabledFeaturesTestCase(testtools.TestCase):

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
        return disabled_features.count_stacks(self.connection, feature)

    def values(self, column):
        return {row['id']: row[column] for row in self.database.rows('stack')}

    def record(self, *names):
        return disabled_features.record_start(self.database.engine, names)

    def restore(self, *names):
        disabled_features.restore_enabled(self.database.engine, names)


class CountTest(DisabledFeaturesTestCase):

    def test_stacks_with_immutable_parameters_are_counted(self):
        for stack_id, template in (('1', STAYS), ('2', STAYS), ('3', SPEAKS),
                                   ('4', ALLOWS)):
            # The column is also set for Heat's attribute "immutable".
            self.add(stack_id, template, updatable='{"key": false}')
        self.add('5', STAYS, updatable='{"key": false}', backup=True)
        self.add('6', STAYS, updatable='{"key": false}',
                 deleted_at=datetime.datetime(2026, 1, 1))
        self.assertEqual(2, self.count('parameters'))
        row, = disabled_features.list_first_stacks(
            self.connection, 'parameters', 1)
        self.assertEqual(('1', 'web'), (row.id, row.name))

    def test_stacks_with_update_policies_are_counted(self):
        # Stacks above and below a policy are marked as well.
        self.add('1', STAYS, has_update_policy=True)
        self.add('2', ALLOWS, has_update_policy=True, owner_id='1')
        self.add('3', SPEAKS, has_update_policy=True)
        self.assertEqual(1, self.count('update_policy'))

    def test_locked_stack_tree_is_counted_once(self):
        self.add('1', lock_level='stacks')
        self.add('2', lock_level='stacks', owner_id='1')
        self.add('3')
        self.assertEqual(1, self.count('stack_lock'))

    def test_attribute_names_in_description_are_not_counted(self):
        self.add('1', SPEAKS)
        for feature in disabled_features.FEATURES:
            self.assertEqual(0, self.count(feature))

    def test_templates_are_counted_regardless_of_columns(self):
        for stack_id, template in enumerate((STAYS, ALLOWS, SPEAKS)):
            self.add(str(stack_id), template)
        self.assertEqual(2, disabled_features.count_templates(self.connection))


class RecordTest(DisabledFeaturesTestCase):

    def test_start_record_counts_stacks_known_from_columns(self):
        self.add('1', STAYS, updatable='{"key": false}')
        self.add('2', STAYS)
        self.add('3', ALLOWS, has_update_policy=True)
        self.database.add_locked_stack('4')
        self.assertEqual(
            {'parameters': 1, 'update_policy': 1, 'stack_lock': 1},
            self.record())
        self.assertEqual({}, self.record(*disabled_features.FEATURES))
        self.assertEqual(2, self.count('parameters'))

    def test_start_record_is_empty_before_db_sync(self):
        database = self.useFixture(base.HeatDatabase())
        self.assertEqual(
            {}, disabled_features.record_start(database.engine, ()))

    def test_counts_are_described_in_words(self):
        self.assertEqual(
            '1 stack with "updatable: false", 2 locked or protected stacks',
            disabled_features.describe(
                {'parameters': 1, 'update_policy': 0, 'stack_lock': 2}))


class RestoreTest(DisabledFeaturesTestCase):

    def setUp(self):
        super().setUp()
        self.database.add_stack('1', has_update_policy=False)
        self.database.add_stack('2', has_update_policy=True)

    def known(self):
        return self.values('has_update_policy')

    def age(self):
        """Set the last start of an engine without the feature to January."""
        with self.database.engine.begin() as connection:
            connection.execute(models.engine_table.update().values(
                updated_at=datetime.datetime(2026, 1, 1)))

    def test_policy_flags_stay_while_feature_is_enabled(self):
        self.record('update_policy')
        self.restore('update_policy')
        self.assertEqual({'1': False, '2': True}, self.known())

    def test_policy_flags_are_reset_after_engine_without_feature(self):
        self.record('stack_lock')
        self.record('stack_lock')
        self.restore('stack_lock')
        self.assertEqual({'1': False, '2': True}, self.known())
        self.restore('update_policy')
        self.assertEqual({'1': None, '2': True}, self.known())

    def test_policy_flags_are_reset_until_all_engines_have_feature(self):
        self.record()
        engine_id = test_live_engines.add_engine(self.database, 'h')
        self.assertTrue(self.is_forgotten())
        self.age()
        self.assertTrue(self.is_forgotten())
        self.database.insert('heat_extras_engine', {
            'engine_id': engine_id, 'features': '["all"]'})
        self.assertTrue(self.is_forgotten())
        self.assertFalse(self.is_forgotten())

    def test_policy_flags_are_reset_before_engine_reports(self):
        self.record()
        for _ in range(2):
            self.assertTrue(self.is_forgotten())

    def test_updatable_is_read_from_templates_after_restore(self):
        lifted = {'heat_template_version': '2018-08-31',
                  'parameters': {'key': {'type': 'string'}}}
        old = {'heat_template_version': '2018-08-31', 'parameters': {
            'a': {'type': 'string', 'immutable': True}}}
        self.add('lifted', lifted, updatable='{"key": false}')
        self.add('new', STAYS)
        self.add('old', old)
        self.add('kept', STAYS, updatable='{"key": false}')
        before = self.values('updatable')
        self.record('parameters')
        self.restore('parameters')
        self.assertEqual(before, self.values('updatable'))
        self.record('update_policy')
        self.restore('update_policy')
        self.assertEqual(before, self.values('updatable'))
        self.restore('parameters')
        self.assertEqual({
            '1': None, '2': None, 'lifted': None, 'new': '{"key": false}',
            'old': '{"a": false}', 'kept': '{"key": false}'},
            self.values('updatable'))

    def is_forgotten(self):
        self.set_known()
        self.restore('update_policy')
        return self.known()['1'] is None

    def set_known(self):
        with self.database.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'UPDATE stack SET has_update_policy = 0'))
