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


from importlib import metadata

import testtools

DISTRIBUTION = 'heat-extras'

GROUPS = {
    'console_scripts', 'heat.stack_lifecycle_plugins',
    'paste.filter_factory', 'paste.composite_factory',
    'openstack.orchestration.v1', 'oslo.config.opts', 'oslo.policy.policies'}


class EntryPointsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.entry_points = metadata.distribution(DISTRIBUTION).entry_points

    def test_every_entry_point_loads(self):
        broken = {}
        for entry_point in self.entry_points:
            try:
                loaded = entry_point.load()
            except Exception as error:
                broken[entry_point.value] = repr(error)
            else:
                self.assertTrue(callable(loaded), entry_point.value)
        self.assertEqual({}, broken)

    def test_the_groups_that_heat_and_its_clients_read_are_declared(self):
        self.assertLessEqual(GROUPS, {entry_point.group
                                      for entry_point in self.entry_points})

    def test_all_lead_into_the_package(self):
        for entry_point in self.entry_points:
            self.assertTrue(entry_point.module.startswith('heat_extras.'),
                            entry_point.value)
