# SPDX-License-Identifier: Apache-2.0

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import fixtures
import testtools

from heat_extras.db import presence
from tests.unit.db import base

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = ('setup.py', 'setup.cfg', 'pyproject.toml', 'requirements.txt',
           'README.rst', 'LICENSE', 'heat_extras', 'db_migrations', 'etc')
BUILD_REQUIREMENTS = ('pip', 'pbr', 'setuptools', 'wheel')


class WheelTest(testtools.TestCase):
    """Build the wheel without network and look into it."""

    def setUp(self):
        super().setUp()
        for name in BUILD_REQUIREMENTS:
            if importlib.util.find_spec(name) is None:
                self.skipTest('%s, which builds wheels, is not here' % name)
        self.directory = self.useFixture(fixtures.TempDir())
        self.wheel = self.build()

    def run_python(self, *words, **variables):
        process = subprocess.run(
            [sys.executable, *words], cwd=self.directory.path, timeout=300,
            env=dict(os.environ, **variables), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(0, process.returncode, process.stdout)
        return process.stdout

    def build(self):
        # In a copy: a build leaves files behind in its tree.
        copy = pathlib.Path(self.directory.join('copy'))
        copy.mkdir()
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=(
                    shutil.ignore_patterns('__pycache__')))
            else:
                shutil.copy(source, copy / name)
        self.run_python(
            '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-index',
            '--no-build-isolation', '--wheel-dir', self.directory.join('out'),
            str(copy), PBR_VERSION='0.0.1')
        wheel, = pathlib.Path(self.directory.join('out')).glob('*.whl')
        return wheel

    def install(self):
        target = self.directory.join('target')
        self.run_python(
            '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index',
            '--target', target, str(self.wheel))
        return target

    def test_holds_the_whole_package_and_nothing_beside_it(self):
        names = set(zipfile.ZipFile(self.wheel).namelist())
        self.assertEqual(
            {'heat_extras', 'heat_extras-0.0.1.dist-info',
             'heat_extras-0.0.1.data'},
            {name.split('/')[0] for name in names})
        wanted = {path.relative_to(ROOT).as_posix()
                  for path in (ROOT / 'heat_extras').rglob('*.py')}
        wanted |= {'heat_extras/' + path.relative_to(ROOT).as_posix()
                   for path in (ROOT / 'db_migrations').rglob('*.py')}
        wanted.add('heat_extras-0.0.1.data/data/etc/heat/'
                   'heat-extras-paste.ini')
        self.assertEqual(set(), wanted - names)

    def test_db_sync_works_where_only_the_wheel_is_installed(self):
        target = self.install()
        database = self.useFixture(base.HeatDatabase())
        config = pathlib.Path(self.directory.join('heat.conf'))
        config.write_text('[database]\nconnection = %s\n' % database.url)
        printed = self.run_python(
            '-c',
            'from heat_extras.cmd import manage\n'
            'from heat_extras.db import migration\n'
            'manage.main()\n'
            'print("from", migration.location())\n',
            '--config-file', str(config), 'db_sync', PYTHONPATH=target)
        self.assertIn(
            'from ' + os.path.join(target, 'heat_extras', 'db_migrations'),
            printed)
        self.assertEqual([], presence.missing(database.engine))
