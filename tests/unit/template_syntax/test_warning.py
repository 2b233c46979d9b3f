# SPDX-License-Identifier: Apache-2.0

import logging

import fixtures
from heat.common import config  # noqa: F401
from oslo_config import cfg
import testtools

from heat_extras.template_syntax import warning
from tests.unit.db import base


class WarnTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger(
            level=logging.DEBUG))

    def warn(self, url, names=()):
        conf = cfg.CONF
        conf.set_override('connection', url, 'database')
        self.addCleanup(conf.clear_override, 'connection', 'database')
        warning.warn(conf, names)
        return [line for line in self.log.output.splitlines()
                if 'do nothing now' in line]

    def test_locks_that_hold_nobody(self):
        database = self.useFixture(base.HeatDatabase(extended=True))
        database.add_locked_stack('1')
        line, = self.warn(database.url)
        self.assertIn('1 locked or protected stack, which', line)

    def test_protections_that_keep_nobody(self):
        database = self.useFixture(base.HeatDatabase(extended=True))
        database.add_protected_stack('1')
        database.add_locked_stack('2', delete_protection_id='3')
        line, = self.warn(database.url)
        self.assertIn('2 locked or protected stacks, which', line)

    def test_nothing_to_say(self):
        for extended in (False, True):
            database = self.useFixture(base.HeatDatabase(extended=extended))
            self.assertEqual([], self.warn(database.url))
        database.add_locked_stack('1')
        self.assertEqual([], self.warn(database.url, ['stack_lock']))

    def test_a_database_that_is_away_is_heats_to_tell(self):
        self.assertEqual([], self.warn('sqlite:////nowhere/heat.sqlite'))
        self.assertIn('was not counted', self.log.output)
