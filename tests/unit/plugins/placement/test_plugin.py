# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import testtools

from heat_extras.plugins.placement import plugin

HEAVY = ('jsonschema', 'requests', 'tenacity', 'heat.engine')


class PlacementPluginTest(testtools.TestCase):

    def test_it_is_off_without_an_inventory(self):
        found = plugin.PlacementPlugin()
        self.assertFalse(found.is_enabled())
        found.do_pre_op(None, None, None, 'CREATE')
        found.do_post_op(None, None, None, 'CREATE', True)

    def test_loading_it_imports_little(self):
        code = (f'import sys, {plugin.__name__} as p; '
                'p.PlacementPlugin().is_enabled(); '
                f'print([n for n in {HEAVY} if n in sys.modules])')
        self.assertEqual('[]\n', subprocess.run(
            [sys.executable, '-c', code], capture_output=True, text=True,
            check=True).stdout)
