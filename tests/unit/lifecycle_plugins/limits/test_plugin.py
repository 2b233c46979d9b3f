# SPDX-License-Identifier: Apache-2.0

import os
import subprocess
import sys

import fixtures
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.lifecycle_plugins.limits import plugin
from heat_extras import operator_errors

# Modules that an engine without the plugin does not need to load.
HEAVY = ('jsonschema', 'requests', 'tenacity', 'heat.engine')


class LimitsPluginTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        conf.register_opts(cfg.CONF)
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))

    def set_file(self, text):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'r')
        with open(path, 'w') as target:
            target.write(text)
        self.conf.config(group='heat_extras', limits_file=path)

    def test_plugin_is_disabled_without_file(self):
        limits_plugin = plugin.LimitsPlugin()
        self.assertFalse(limits_plugin.is_enabled())
        limits_plugin.do_pre_op(None, None, None, 'CREATE')
        limits_plugin.do_post_op(None, None, None, 'CREATE', True)

    def test_plugin_is_enabled_with_file(self):
        self.set_file('rules:\n- {name: t, tags: [x]}\n')
        self.assertTrue(plugin.LimitsPlugin().is_enabled())

    def test_invalid_file_is_rejected_at_start(self):
        self.set_file('rules: 5\n')
        self.assertRaises(operator_errors.ActivationError,
                          plugin.LimitsPlugin().is_enabled)

    def test_disabled_plugin_imports_no_heavy_modules(self):
        code = (f'import sys, {plugin.__name__} as p; '
                'p.LimitsPlugin().is_enabled(); '
                f'print([n for n in {HEAVY} if n in sys.modules])')
        self.assertEqual('[]\n', subprocess.run(
            [sys.executable, '-c', code], capture_output=True, text=True,
            check=True).stdout)
