# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
import os
import pathlib
import subprocess
import sys
import unittest
import zipfile

import fixtures
import testtools

from heat_extras.db import schema_check
from tests.harness import class_fixtures
from tests.harness import wheel
from tests.unit.db import base
from tests.unit import test_version

ROOT = pathlib.Path(__file__).parents[2]
VERSION = test_version.declared()


class WheelTest(class_fixtures.ClassFixtures, testtools.TestCase):
    """Build the wheel without network and check its contents."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if wheel.missing():
            raise unittest.SkipTest('%s, which builds wheels, is not here'
                                    % ', '.join(wheel.missing()))
        cls.built = cls.use_in_class(wheel.Wheel())
        cls.wheel = cls.built.path

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir())

    def run_python(self, *words, **variables):
        process = subprocess.run(
            [sys.executable, *words], cwd=self.directory.path, timeout=300,
            env=dict(os.environ, **variables), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(0, process.returncode, process.stdout)
        return process.stdout

    def install(self):
        target = self.directory.join('target')
        self.run_python(
            '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index',
            '--target', target, str(self.wheel))
        return target

    def test_wheel_contains_package_and_no_other_files(self):
        names = set(zipfile.ZipFile(self.wheel).namelist())
        self.assertEqual(
            {'heat_extras', f'heat_extras-{VERSION}.dist-info',
             f'heat_extras-{VERSION}.data'},
            {name.split('/')[0] for name in names})
        wanted = {path.relative_to(ROOT).as_posix()
                  for path in (ROOT / 'heat_extras').rglob('*.py')}
        wanted |= {'heat_extras/' + path.relative_to(ROOT).as_posix()
                   for path in (ROOT / 'db_migrations').rglob('*.py')}
        wanted |= {path.relative_to(ROOT).as_posix() for path in
                   (ROOT / 'heat_extras/sandbox/templates').iterdir()}
        wanted.add('heat_extras/openapi.json')
        wanted.add(f'heat_extras-{VERSION}.data/data/etc/heat/'
                   'heat-extras-paste.ini')
        self.assertEqual(set(), wanted - names)

    def test_entry_points_match_checkout(self):
        installed, = metadata.distributions(path=[self.install()])
        here = metadata.distribution('heat-extras').entry_points
        self.assertEqual(sorted(here), sorted(installed.entry_points))

    def test_source_distribution_builds_same_wheel(self):
        out = self.directory.join('sdist')
        self.run_python(
            '-c', 'import os, sys\n'
            'from setuptools import build_meta\n'
            'os.chdir(sys.argv[1])\n'
            'build_meta.build_sdist(sys.argv[2])\n',
            str(self.built.copy), out)
        archive, = pathlib.Path(out).glob('*.tar.gz')
        again = self.built.make(archive, 'again')
        self.assertEqual(*(sorted(zipfile.ZipFile(path).namelist())
                           for path in (self.wheel, again)))

    def test_db_sync_works_with_only_wheel_installed(self):
        target = self.install()
        database = self.useFixture(base.HeatDatabase())
        config = pathlib.Path(self.directory.join('heat.conf'))
        config.write_text('[database]\nconnection = %s\n' % database.url)
        printed = self.run_python(
            '-c',
            'from heat_extras.cmd import manage\n'
            'from heat_extras.db import migration\n'
            'manage.main()\n'
            'print("from", migration.find_environment())\n',
            '--config-file', str(config), 'db_sync', PYTHONPATH=target)
        self.assertIn(
            'from ' + os.path.join(target, 'heat_extras', 'db_migrations'),
            printed)
        self.assertEqual([], schema_check.list_missing(database.engine))
