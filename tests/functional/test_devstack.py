# SPDX-License-Identifier: Apache-2.0

"""Tests of each phase of the DevStack plugin with an installed Heat.

With the functions of a real DevStack where DEVSTACK_DIR names a checkout,
else with functions of our own.
"""

import os
import pathlib
import shutil
import sqlite3

import testtools

from tests.harness import command
from tests.harness import installation
from tests.unit.db import base

HERE = pathlib.Path(__file__).parent / 'devstack'
SECONDS = 300

STACK = ('stack pre-install', 'stack install', 'stack post-config')


class DevstackTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(installation.Installation())
        self.heat_database = self.useFixture(base.HeatDatabase())
        self.heat.configure(features='', connection=self.heat_database.url)
        path = self.heat.directory / 'heat.conf'
        # As heat's plugin leaves it.
        path.write_text(path.read_text().replace(
            '\n[heat_extras]\nfeatures = \n', '').replace(
            'api_paste_config = api-paste.ini\n', ''))
        self.conf = path
        self.paste = self.heat.directory / 'api-paste.ini'
        shutil.copy(installation.HEAT_ETC / 'api-paste.ini', self.paste)
        self.before = self.files(), self.database()

    def run_phases(self, *phases, **settings):
        """Run phases.

        :returns: what they would have done to this machine, line by line.
        """
        devstack = pathlib.Path(os.environ.get('DEVSTACK_DIR') or HERE)
        environment = {
            'PATH': os.environ['PATH'], 'HEAT_CONF': str(self.conf),
            'HEAT_BIN_DIR': command.BIN, 'TERM': 'dumb',
            'HOME': str(self.heat.directory), 'PYTHONWARNINGS': 'ignore',
            'ENABLED_SERVICES': 'mysql,h-eng,h-api,h-api-cfn'} | settings
        done = command.run(
            ['bash', HERE / 'run.sh', devstack / 'functions',
             installation.ROOT, *phases], environment)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return [line for line in done.stdout.splitlines()
                if line.startswith(('setup_', 'pip_', 'restart_'))]

    def files(self):
        return {path.name: path.read_text() for path
                in sorted(self.heat.directory.glob('*'))
                if path.suffix in ('.conf', '.ini')}

    def database(self):
        """Dump the database, as text."""
        path = self.heat_database.url.removeprefix('sqlite:///')
        with sqlite3.connect(path) as connection:
            return list(connection.iterdump())

    def check_on(self):
        self.heat.run('heat-extras-manage', 'paste')
        self.assertIn('[heat_extras]', self.conf.read_text())
        self.assertEqual(self.before[0][self.paste.name],
                         self.paste.read_text())

    def test_phases_before_extra_change_no_files(self):
        done = self.run_phases(*STACK)
        self.assertEqual([f'setup_develop {installation.ROOT} engine'], done)
        self.assertEqual(self.before, (self.files(), self.database()))

    def test_clean_restores_files_and_database(self):
        done = self.run_phases(*STACK, 'stack extra', 'stack test-config')
        self.assertEqual(
            [f'restart_service devstack@{name}'
             for name in ('h-eng', 'h-api', 'h-api-cfn')], done[1:])
        self.check_on()
        self.assertIn('features = all\n', self.conf.read_text())
        self.assertIn('lock_level', '\n'.join(self.database()))
        on = self.files()
        self.run_phases('stack extra')
        self.assertEqual(on, self.files())
        self.run_phases('unstack')
        self.assertEqual(self.before[0], self.files())
        self.run_phases('unstack', 'stack extra')
        self.assertEqual(on, self.files())
        self.assertEqual(['pip_uninstall heat-extras'],
                         self.run_phases('clean'))
        self.assertEqual(self.before, (self.files(), self.database()))
        self.run_phases('clean')
        self.assertEqual(self.before, (self.files(), self.database()))

    def test_settings_come_from_local_conf(self):
        self.run_phases('stack extra', HEAT_EXTRAS_FEATURES='stack_lock',
                        HEAT_EXTRAS_STATUS_OVERLAY='off')
        text = self.conf.read_text()
        self.assertIn('features = stack_lock\n', text)
        self.assertIn('status_overlay = off\n', text)

    def test_unstack_keeps_added_options(self):
        self.run_phases('stack extra')
        text = self.conf.read_text()
        self.conf.write_text(text.replace(
            '[heat_extras]\n', '[heat_extras]\nlock_concurrency = 2\n'))
        self.run_phases('unstack')
        self.assertEqual(
            self.before[0]['heat.conf']
            + '\n[heat_extras]\nlock_concurrency = 2\n',
            self.conf.read_text())

    def test_heat_conf_without_paste_deploy_section(self):
        text = self.conf.read_text()
        self.conf.write_text(text.replace(
            '\n[paste_deploy]\nflavor = noauth\n', ''))
        before = self.conf.read_text()
        self.assertNotIn('paste_deploy', before)
        self.run_phases('stack extra')
        self.check_on()
        self.run_phases('unstack')
        self.assertEqual(before, self.conf.read_text())

    def test_clean_after_clean_of_heat(self):
        self.run_phases('stack extra')
        for path in (self.conf, self.paste):
            path.unlink()
        self.assertEqual(['pip_uninstall heat-extras'],
                         self.run_phases('clean'))

    def test_host_without_heat_is_not_changed(self):
        self.assertEqual([], self.run_phases(
            *STACK, 'stack extra', 'unstack', 'clean',
            ENABLED_SERVICES='mysql,n-cpu'))
        self.assertEqual(self.before, (self.files(), self.database()))

    def test_dashboard_is_installed_on_horizon_host(self):
        enabled = (self.heat.directory / 'openstack_dashboard' / 'local'
                   / 'enabled')
        enabled.mkdir(parents=True)
        (enabled / '_1620_project_stacks_panel.py').touch()
        settings = {'ENABLED_SERVICES': 'horizon',
                    'HORIZON_DIR': str(self.heat.directory)}
        self.assertEqual(
            [f'setup_develop {installation.ROOT}',
             f'setup_develop {installation.ROOT}/dashboard'],
            self.run_phases(*STACK, **settings))
        self.assertIn('_1660_project_protection_panel.py',
                      os.listdir(enabled))
        self.assertEqual(
            ['pip_uninstall heat-extras-dashboard',
             'pip_uninstall heat-extras'],
            self.run_phases('unstack', 'clean', **settings))
        self.assertEqual(['_1620_project_stacks_panel.py'],
                         os.listdir(enabled))
        self.assertEqual(self.before, (self.files(), self.database()))

    def test_host_without_database_is_only_configured(self):
        self.run_phases('stack extra', ENABLED_SERVICES='h-eng')
        self.assertEqual(self.before[1], self.database())
        self.check_on()
