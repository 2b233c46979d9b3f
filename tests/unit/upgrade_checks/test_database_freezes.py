# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras.upgrade_checks import database as checks
from tests.unit.db import base
from tests.unit.db import test_live_engines

SUCCESS, WARNING, _ = upgradecheck.Code


class FreezesTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase(extended=True))
        self.conf = cfg.ConfigOpts()
        heat_extras_conf.register_opts(self.conf)
        self.conf.set_override('features', ['all'], 'heat_extras')
        # All ConfigOpts share the group, which contains the override.
        self.addCleanup(self.conf.clear_override, 'features', 'heat_extras')

    def add(self, host, digest=None, refused=None, **more):
        engine_id = test_live_engines.add_engine(self.database, host,
                                                 features=['all'], **more)
        if digest:
            self.database.insert('heat_extras_freezes', {
                'engine_id': engine_id, 'digest': digest,
                'refused': refused})
        return engine_id

    def check(self, code):
        result = checks.check_freezes(self.conf, self.database.engine)
        self.assertEqual(code, result.code, result.details)
        return result.details

    def test_engines_with_same_freezes_file_succeed(self):
        self.add('one', 'a' * 64)
        self.add('two', 'a' * 64)
        self.add('dead', 'b' * 64, age=500)
        self.assertEqual('2 live engines with freezes_file aaaaaaaaaaaa.',
                         self.check(SUCCESS))

    def test_engines_without_freezes_file_succeed(self):
        self.assertIn('No live engine', self.check(SUCCESS))
        self.add('one')
        self.assertIn('No live engine', self.check(SUCCESS))

    def test_engines_with_different_freezes_are_named(self):
        first, two = self.add('one', 'a' * 64), self.add('two', 'b' * 64)
        three = self.add('three')
        details = self.check(WARNING)
        for part in (f'one ({first}): freezes_file aaaaaaaaaaaa',
                     f'two ({two}): freezes_file bbbbbbbbbbbb',
                     f'three ({three}): no freezes_file', 'the same'):
            self.assertIn(part, details)

    def test_engine_with_invalid_freezes_file_is_named(self):
        self.add('one', 'a' * 64)
        two = self.add('two', 'a' * 64, 'b' * 64)
        details = self.check(WARNING)
        self.assertIn(f'has errors, or cannot be read: two ({two}).', details)
        self.assertNotIn('different', details)

    def test_errors_and_differences_are_both_reported(self):
        self.add('one', 'a' * 64)
        self.add('two', 'a' * 64, 'b' * 64)
        self.add('three', 'b' * 64)
        details = self.check(WARNING)
        self.assertIn('has errors, or cannot be read: two (', details)
        self.assertIn('Engines with different freezes: ', details)

    def test_freezes_are_not_checked_before_db_sync(self):
        self.database = self.useFixture(base.HeatDatabase())
        self.assertIn('Not checked', self.check(WARNING))
