# SPDX-License-Identifier: Apache-2.0

import json

from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
import sqlalchemy
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras.db import migration
from heat_extras.upgrade_checks import database
from tests.unit.db import base
from tests.unit.db import test_disabled_features
from tests.unit.db import test_live_engines

SUCCESS, WARNING, FAILURE = upgradecheck.Code


class DatabaseChecksTestCase(testtools.TestCase):

    features = ['all']

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase())
        self.engine = self.database.engine
        self.conf = cfg.ConfigOpts()
        heat_extras_conf.register_opts(self.conf)
        # All ConfigOpts share the group, which contains the override.
        self.addCleanup(self.conf.clear_override, 'features', 'heat_extras')
        self.conf.set_override('features', self.features, 'heat_extras')

    def check(self, function, code):
        """Run a check and return its details."""
        result = function(self.conf, self.engine)
        self.assertEqual(code, result.code, result.details)
        return result.details


class SchemaTest(DatabaseChecksTestCase):

    def test_schema_check_fails_before_db_sync(self):
        self.assertIn('heat-extras-manage db_sync',
                      self.check(database.check_schema, FAILURE))

    def test_database_without_heat_tables_fails(self):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text('DROP TABLE stack'))
        for features in ['all'], []:
            self.conf.set_override('features', features, 'heat_extras')
            details = self.check(database.check_schema, FAILURE)
            self.assertIn('has no table "stack"', details)
            self.assertIn('heat-manage db_sync', details)
            for each in (database.check_engines, database.check_locks,
                         database.check_disabled_features):
                self.assertIn('Not checked', self.check(each, WARNING))

    def test_columns_are_not_needed_without_features(self):
        self.conf.set_override('features', [], 'heat_extras')
        for each in (database.check_schema, database.check_engines,
                     database.check_locks):
            self.assertIn('features is empty', self.check(each, SUCCESS))

    def test_schema_check_succeeds_after_db_sync(self):
        migration.upgrade(self.engine)
        self.check(database.check_schema, SUCCESS)

    def test_missing_column_is_named(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'ALTER TABLE stack DROP COLUMN lock_id'))
        self.assertIn('stack.lock_id',
                      self.check(database.check_schema, FAILURE))

    def test_revision_of_other_release_is_a_warning(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'UPDATE %s SET version_num = :to' % migration.VERSION_TABLE),
                {'to': '999'})
        self.assertIn('999', self.check(database.check_schema, WARNING))


class EnginesTest(DatabaseChecksTestCase):

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)

    def add(self, host, features=('all',), **heartbeat):
        return test_live_engines.add_engine(
            self.database, host,
            features=None if features is None else list(features), **heartbeat)

    def test_engines_with_same_features_are_counted(self):
        self.add('one')
        self.add('two')
        self.assertEqual('2 live engines.',
                         self.check(database.check_engines, SUCCESS))

    def test_engine_without_heat_extras_is_named(self):
        self.add('one')
        engine_id = self.add('two', features=None)
        details = self.check(database.check_engines, WARNING)
        self.assertIn('two (%s)' % engine_id, details)
        self.assertNotIn('one (', details)

    def test_engine_with_other_features_is_reported(self):
        self.add('one')
        self.add('two', ['stack_lock'])
        self.assertIn('features stack_lock',
                      self.check(database.check_engines, WARNING))

    def test_engine_of_other_release_is_reported(self):
        self.add('one', version='1.0')
        self.add('two', version='1.1')
        self.assertIn('heat-extras 1.1',
                      self.check(database.check_engines, WARNING))

    def test_engine_that_may_be_stopped_is_named_with_its_last_report(self):
        self.add('one', version='1.0')
        self.add('old', version='0.9', age=70)
        details = self.check(database.check_engines, WARNING)
        self.assertRegex(details, r'old .*, last seen (69|7\d) s ago')
        self.assertRegex(details, 'Engines that did not report for 60 s may '
                         r'be stopped\. If they are, run the check again in '
                         r'[45]\d s\.')
        self.assertNotIn('may be stopped', self.check_again('old'))

    def check_again(self, late):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'UPDATE service SET updated_at = CURRENT_TIMESTAMP '
                'WHERE host = :host'), {'host': late})
        return self.check(database.check_engines, WARNING)

    def test_engines_without_features_succeed(self):
        self.conf.set_override('features', [], 'heat_extras')
        self.add('one', features=None)
        self.check(database.check_engines, SUCCESS)


class LocksTest(DatabaseChecksTestCase):

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)

    def test_locked_stacks_are_counted(self):
        self.database.add_locked_stack('1234', name='web')
        self.assertEqual('1 stack locked.',
                         self.check(database.check_locks, SUCCESS))

    def test_failed_lock_is_named(self):
        self.database.add_locked_stack('1234', {'status': 'FAILED'})
        self.assertIn('web (1234) LOCK_FAILED',
                      self.check(database.check_locks, WARNING))

    def test_stack_changed_while_stack_lock_was_disabled_is_named(self):
        self.database.add_locked_stack('1234', name='web')
        self.database.add_stack('5678', name='web-member', owner_id='1234')
        self.assertIn('while stack_lock was disabled: web (1234). The next '
                      'engine',
                      self.check(database.check_locks, WARNING))

    def test_lock_in_progress_of_missing_engine_is_named(self):
        alive = test_live_engines.add_engine(self.database, 'h',
                                             features=['all'])
        self.database.add_locked_stack(
            '1234', {'status': 'IN_PROGRESS', 'engine_id': alive})
        self.check(database.check_locks, SUCCESS)
        self.database.add_locked_stack(
            '5678', {'status': 'IN_PROGRESS', 'engine_id': 'gone'})
        details = self.check(database.check_locks, WARNING)
        self.assertIn('5678', details)
        self.assertNotIn('1234', details)

    def test_lock_and_engine_checks_are_not_made_before_db_sync(self):
        migration.downgrade(self.engine)
        for function in (database.check_locks, database.check_engines):
            self.assertIn('Not checked', self.check(function, WARNING))


class DisabledFeaturesTest(DatabaseChecksTestCase):

    features = ['parameters']

    def setUp(self):
        super().setUp()
        self.number, = self.database.insert('raw_template', {
            'template': json.dumps(test_disabled_features.ALLOWS)})

    def add(self, stack_id, **values):
        self.database.add_stack(stack_id, raw_template_id=self.number,
                                **values)

    def test_stacks_with_unenforced_guards_are_named(self):
        migration.upgrade(self.engine)
        self.check(database.check_disabled_features, SUCCESS)
        for number in range(12):
            self.add(str(number), name=f's{number}', has_update_policy=True)
        self.database.add_locked_stack('locked', name='db')
        details = self.check(database.check_disabled_features, WARNING)
        for words in ('12 stacks with "update_policy.allow": s0 (0), s1 (1)',
                      'and 2 more', '1 locked or protected stack: db (locked)',
                      'Until you add update_policy, stack_lock to '
                      '[heat_extras] features', 'rewrite-templates'):
            self.assertIn(words, details)
        self.conf.set_override('features', ['all'], 'heat_extras')
        self.check(database.check_disabled_features, SUCCESS)

    def test_stored_templates_are_counted_without_columns(self):
        self.conf.set_override('features', [], 'heat_extras')
        self.assertIn('in 1 stored template',
                      self.check(database.check_disabled_features, WARNING))
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text('DELETE FROM raw_template'))
        self.check(database.check_disabled_features, SUCCESS)

    def test_unknown_feature_fails(self):
        self.conf.set_override('features', ['typo'], 'heat_extras')
        self.assertIn('the check "Configuration"',
                      self.check(database.check_disabled_features, FAILURE))
