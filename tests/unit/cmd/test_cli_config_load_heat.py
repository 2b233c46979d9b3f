# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.engine import resources
from oslo_config import cfg
from oslo_log import log
import testtools

from heat_extras.cmd import cli_config
from heat_extras import conf as heat_extras_conf
from heat_extras.sandbox import interpreter


class LoadHeatTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.addCleanup(cfg.CONF.reset)
        self.initialise = self.useFixture(fixtures.MockPatchObject(
            resources, 'initialise')).mock
        # A process can prepare for eventlet or threads only once.
        self.useFixture(fixtures.MockPatchObject(
            interpreter.metadata, 'version', return_value='24.1.0'))
        heat_extras_conf.register_opts(cfg.CONF)

    def load(self, features):
        path = self.useFixture(fixtures.TempDir()).join('heat.conf')
        with open(path, 'w') as target:
            # With debug = true, the levels of loggers are unchanged.
            target.write('[DEFAULT]\ndebug = true\n'
                         f'[heat_extras]\nfeatures = {features}\n')
        conf = cfg.ConfigOpts()
        log.register_options(conf)
        conf([], default_config_files=[path], default_config_dirs=[])
        cli_config.load_lock_handlers(conf)
        self.assertEqual([path], cfg.CONF.config_file)

    def test_heat_reads_config_files_of_command(self):
        for features in 'stack_lock', 'health, stack_lock', 'all':
            self.load(features)
        self.assertEqual(3, self.initialise.call_count)

    def test_load_fails_without_stack_lock(self):
        for features in '', 'health':
            error = self.assertRaises(cli_config.CommandError,
                                      self.load, features)
            self.assertIn('does not include "stack_lock"', str(error))
