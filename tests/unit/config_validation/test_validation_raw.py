# SPDX-License-Identifier: Apache-2.0

import pathlib

import fixtures
from oslo_config import cfg
import testtools

from heat_extras.config_validation import validation


class WrittenTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.path = self.directory / 'heat.conf'
        self.path.write_text('[A]\nx = 1\nx = 2\n[a]\ny =\n[b]\nx = 9\n')
        self.conf = cfg.ConfigOpts()
        self.conf([], default_config_files=[str(self.path)],
                  default_config_dirs=[])

    def test_what_counts_is_what_was_written_last(self):
        self.assertEqual({'x': '2', 'y': ''},
                         validation.raw_section(self.conf, 'a'))
        self.assertEqual('2', validation.raw_value(self.conf, 'a', 'x'))
        self.assertIsNone(validation.raw_value(self.conf, 'a', 'z'))

    def test_the_environment_counts_more(self):
        self.useFixture(fixtures.EnvironmentVariable('OS_A__X', '3'))
        self.assertEqual('3', validation.raw_value(self.conf, 'a', 'x'))

    def test_files_that_are_gone(self):
        self.path.unlink()
        self.assertEqual([], validation.raw_sections(self.conf))

    def test_a_configuration_that_was_not_read(self):
        self.assertEqual([], validation.raw_sections(cfg.ConfigOpts()))
