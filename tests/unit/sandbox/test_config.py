# SPDX-License-Identifier: Apache-2.0

import configparser

import testtools

from heat_extras.sandbox import config


class ConfigTest(testtools.TestCase):

    def _read(self, text):
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(text)
        return parser

    def test_features_reach_heat_conf(self):
        found = self._read(config.heat_conf_text('/s', 8004, 'all'))
        self.assertEqual('all', found['heat_extras']['features'])

    def test_encryption_key_has_the_length_that_heat_wants(self):
        found = self._read(config.heat_conf_text('/s', 8004, 'all'))
        self.assertEqual(32, len(found['DEFAULT']['auth_encryption_key']))

    def test_our_filter_comes_first(self):
        found = self._read(config.paste_text('all'))
        pipeline = found['composite:api']['default'].split()
        self.assertEqual('heat_extras', pipeline[0])
        self.assertLess(pipeline.index('tokens'), pipeline.index('context'))

    def test_without_features_our_filter_is_left_out(self):
        found = self._read(config.paste_text(''))
        self.assertNotIn('heat_extras', found['composite:api']['default'])

    def test_whole_pipeline_is_defined(self):
        found = self._read(config.paste_text('all'))
        for name in found['composite:api']['default'].split():
            self.assertTrue(found.has_section('filter:' + name)
                            or found.has_section('app:' + name), name)
