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

import types
from unittest import mock

import testtools

from heat_extras.lifecycle import guards
from heat_extras.lifecycle import plugin as plugins

ASKS = types.SimpleNamespace(do_pre_op=lambda *arguments: None)
LISTENS = types.SimpleNamespace(do_post_op=lambda *arguments: None)
FOUND = types.SimpleNamespace(stack=types.SimpleNamespace(id='root'))


class ListGuardsTest(testtools.TestCase):
    def test_only_plugins_that_can_deny(self):
        installed = [plugins.Plugin('quota', ASKS),
                     plugins.Plugin('warns', ASKS, mode=plugins.WARN),
                     plugins.Plugin('mails', LISTENS)]
        with mock.patch.object(guards.registry, 'ordered',
                               return_value=installed):
            found, = guards.list_guards(None, FOUND)
        self.assertEqual(('plugin', 'root', 'quota'),
                         (found.kind, found.stack_id, found.name))
        self.assertIn('delete', found.stops)
        self.assertNotIn('signal', found.stops)
