# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
import pkgutil

import fixtures
import testtools

from heat_extras import entrances
from heat_extras import feature

DISTRIBUTION = 'heat-extras'

GROUPS = {
    'console_scripts', 'heat.stack_lifecycle_plugins',
    'paste.filter_factory', 'paste.composite_factory',
    'openstack.cli.stack_list', 'openstack.cli.stack_show',
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
                self.assertTrue(
                    callable(loaded) or isinstance(loaded, feature.Feature),
                    entry_point.value)
        self.assertEqual({}, broken)

    def test_what_entrances_stand_for_is_there(self):
        # That they load says nothing of it.
        found = []
        self.useFixture(fixtures.MockPatchObject(
            entrances, '_call', lambda where, *_rest: found.append(where)))
        named = [entry_point.load() for entry_point in self.entry_points
                 if entry_point.module == entrances.__name__]
        for enter in named:
            enter()
        self.assertEqual(6, len(named))
        self.assertEqual(6, len(set(found)))
        for where in found:
            self.assertTrue(callable(pkgutil.resolve_name(where)), where)

    def test_the_groups_that_heat_and_its_clients_read_are_declared(self):
        self.assertLessEqual(GROUPS, {entry_point.group
                                      for entry_point in self.entry_points})

    def test_all_lead_into_the_package(self):
        for entry_point in self.entry_points:
            self.assertTrue(entry_point.module.startswith('heat_extras.'),
                            entry_point.value)
