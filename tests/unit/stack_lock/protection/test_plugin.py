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

"""What a plugin remembers of its lock."""

import testtools

from heat_extras.stack_lock.protection import plugin
from tests.unit.stack_lock.protection import fakes


class PluginTest(testtools.TestCase):
    def test_it_is_remembered_until_it_is_forgotten(self):
        resource = fakes.Resource()
        self.assertIsNone(plugin.recall(resource))
        plugin.forget(resource)
        plugin.remember(resource, 'a lock')
        self.assertEqual('a lock', plugin.recall(resource))
        plugin.forget(resource)
        self.assertEqual({}, resource.kept)

    def test_the_reason_that_services_show(self):
        resource = fakes.Resource()
        lock = resource.stack.heat_extras_lock
        self.assertEqual('locked with Heat stack web',
                         plugin.text(resource, lock, 100))
        self.assertEqual('locked', plugin.text(resource, lock, 6))
