# SPDX-License-Identifier: Apache-2.0

import configparser
from importlib import metadata
import os
import pathlib
import sys
from unittest import mock

import fixtures
import testtools

from heat_extras.sandbox import state_directory


class ConfigTest(testtools.TestCase):

    def _read(self, features='all'):
        """Return heat.conf and the paste file."""
        place = self.useFixture(fixtures.TempDir()).path
        state_directory.write_files(place, 8004, features)
        for name in state_directory.CONFIG_FILE, state_directory.PASTE_FILE:
            parser = configparser.ConfigParser(interpolation=None)
            parser.read(os.path.join(place, name))
            yield parser

    def test_features_are_in_heat_conf(self):
        conf, _paste = self._read()
        self.assertEqual('all', conf['heat_extras']['features'])

    def test_encryption_key_has_32_characters(self):
        conf, _paste = self._read()
        self.assertEqual(32, len(conf['DEFAULT']['auth_encryption_key']))

    def test_heat_extras_filter_is_first_in_pipeline(self):
        _conf, paste = self._read()
        pipeline = paste['composite:api']['default'].split()
        self.assertEqual('heat_extras', pipeline[0])
        self.assertLess(pipeline.index('tokens'), pipeline.index(
            'config:heat-api-paste.ini#context'))

    def test_pipeline_has_no_filter_without_features(self):
        _conf, paste = self._read('')
        self.assertNotIn('heat_extras', paste['composite:api']['default'])

    def test_all_parts_of_pipeline_are_defined(self):
        _conf, paste = self._read()
        for name in paste['composite:api']['default'].split():
            self.assertTrue(name.startswith('config:heat-api-paste.ini#')
                            or paste.has_section('filter:' + name), name)


class HeatEtcTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def _write(self):
        state_directory.write_files(str(self.place), 8004, 'all')
        return (self.place / 'heat.conf').read_text()

    def _install_in(self, prefix):
        package_path = metadata.PackagePath('../../../etc/heat/api-paste.ini')
        package_path.dist = mock.Mock(locate_file=(
            prefix / 'lib' / 'python3' / 'site-packages').joinpath)
        (prefix / 'lib' / 'python3' / 'site-packages').mkdir(parents=True)
        (prefix / 'etc' / 'heat').mkdir(parents=True)
        (prefix / 'etc' / 'heat' / 'api-paste.ini').touch()
        self.enterContext(mock.patch.object(
            metadata, 'files', return_value=[package_path]))

    def test_etc_of_heat_is_found_outside_python_prefix(self):
        """With pip install --user, or the packages of the system."""
        self.enterContext(mock.patch.object(sys, 'prefix', '/nowhere'))
        prefix = (self.place / 'user').resolve()
        self._install_in(prefix)
        self.assertIn(f'template_dir = {prefix}/etc/heat/templates\n',
                      self._write())

    def test_missing_paste_file_is_reported_in_one_line(self):
        self.enterContext(mock.patch.object(
            metadata, 'files', return_value=None))
        self.enterContext(mock.patch.object(os, 'access', return_value=False))
        error = self.assertRaises(state_directory.NotUsable, self._write)
        self.assertIn('/etc/heat. Install heat-extras[sandbox]', str(error))


class DirectoryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = self.useFixture(fixtures.TempDir()).path

    def test_named_directory_is_created_and_kept(self):
        wanted = os.path.join(self.place, 'new', 'state')
        with state_directory.hold_directory(wanted) as directory:
            self.assertEqual(wanted, directory)
        self.assertTrue(os.path.isdir(wanted))

    def test_temporary_directory_is_removed(self):
        with state_directory.hold_directory() as directory:
            self.assertTrue(os.path.isdir(directory))
        self.assertFalse(os.path.exists(directory))

    def test_temporary_directory_is_removed_after_an_error(self):
        places = []

        def fail():
            with state_directory.hold_directory() as directory:
                places.append(directory)
                raise KeyError('on purpose')
        self.assertRaises(KeyError, fail)
        self.assertFalse(os.path.exists(places[0]))

    def test_directory_in_use_is_rejected(self):
        with state_directory.hold_directory(self.place):
            error = self.assertRaises(
                state_directory.NotUsable,
                state_directory.hold_directory(self.place).__enter__)
        self.assertIn('is in use by another sandbox', str(error))

    def test_directory_can_be_used_again(self):
        for _time in range(2):
            with state_directory.hold_directory(self.place):
                pass
