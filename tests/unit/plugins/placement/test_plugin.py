# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
