# SPDX-License-Identifier: Apache-2.0

import os

import fixtures
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras import errors
from heat_extras.plugins.placement import inventory
from tests.rigs import policy_service

GOOD = 'racks:\n- {name: a, capacity: {"OS::Nova::Server": 2}}\n'


class InventoryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        conf.register_opts(cfg.CONF)
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        self.path = os.path.join(self.useFixture(fixtures.TempDir()).path,
                                 'racks')

    def read(self, place):
        self.conf.config(group='heat_extras', placement_inventory=place)
        return inventory.from_conf(cfg.CONF)

    def write(self, text):
        with open(self.path, 'w') as target:
            target.write(text)

    def test_a_file_is_read_each_time(self):
        self.write(GOOD)
        read = self.read(self.path)
        self.assertEqual({'a': {'OS::Nova::Server': 2}}, read())
        self.write(GOOD.replace('2', '3'))
        self.assertEqual({'a': {'OS::Nova::Server': 3}}, read())
        self.write('5')
        self.assertRaises(inventory.Unusable, read)

    def test_a_bad_file_is_told_at_start(self):
        self.assertRaises(errors.ActivationError, self.read, self.path)
        for text in ('', 'racks: [', 'racks: [5]', GOOD + GOOD[7:],
                     GOOD.replace('2', '-1')):
            self.write(text)
            error = self.assertRaises(errors.ActivationError, self.read,
                                      self.path)
            self.assertIn(self.path, str(error))

    def test_what_is_wrong_in_a_file_has_its_line_and_its_rack(self):
        for text, *wanted in (
                (GOOD.replace('2', 'many'), 'line 2, rack a: ', "'many'"),
                (GOOD + GOOD[7:], 'line 3, rack a: found another rack'),
                (GOOD.replace('a,', '"a\\e[2J",'), 'line 2, rack a',
                 r"found 'a\x1b[2J', wanted a name that can be printed"),
                ('racks: [' + '[' * 2000, 'found what is no YAML'),
                ('racks: !!int x', 'found what is no YAML'),
                ('racks: 2026-99-99', 'found what is no YAML')):
            self.write(text)
            said = str(self.assertRaises(errors.ActivationError, self.read,
                                         self.path))
            for part in (f'[heat_extras] placement_inventory: {self.path}',
                         *wanted):
                self.assertIn(part, said)

    def test_a_service_is_asked_each_time(self):
        service = self.useFixture(policy_service.PolicyService())
        self.assertEqual({}, self.read(service.url + '/inventory')())
