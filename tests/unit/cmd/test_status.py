# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys

import fixtures

from heat_extras.cmd import cli_config
from heat_extras.cmd import status
from heat_extras.db import migration
from tests.unit.cmd import base
from tests.unit import test_paste_ini

HEAT_EXTRAS = '[heat_extras]\nfeatures = all\n'


class StatusTest(base.CommandTestCase):
    prog = status.PROG
    main = staticmethod(status.main)

    def setUp(self):
        super().setUp()
        self.paste = self.home.join('paste.ini')
        shutil.copy(test_paste_ini.OWN, self.paste)
        self.more = (f'[paste_deploy]\napi_paste_config = {self.paste}\n'
                     + HEAT_EXTRAS)

    def check(self, *words, **options):
        """Run the checks.

        :returns: what they found, by their names.
        """
        options.setdefault('more', self.more)
        text = self.run_command('upgrade', 'check', '--json', *words,
                                **options)
        return {each['check']: each['result']
                for each in json.loads(text)['checks']}

    def test_all_checks_succeed_after_db_sync(self):
        migration.upgrade(self.engine)
        checks = self.check()
        self.assertEqual(10, len(checks))
        self.assertEqual({0}, set(checks.values()), checks)
        self.assertEqual(0, self.status)

    def test_upgrade_check_fails_before_db_sync(self):
        self.assertEqual(2, self.check()['Columns and tables'])
        self.assertEqual(2, self.status)

    def test_unknown_feature_does_not_hide_other_checks(self):
        migration.upgrade(self.engine)
        checks = self.check(more=self.more.replace('= all', '= typo'))
        self.assertEqual(10, len(checks))
        self.assertEqual(2, checks['Configuration'])
        self.assertEqual(0, checks['Heat release and signatures'])
        self.assertEqual(2, checks['Guards that are off'])
        self.assertEqual(0, checks['Columns and tables'])
        self.assertEqual(2, self.status)

    def test_invalid_features_option_does_not_hide_other_checks(self):
        migration.upgrade(self.engine)
        checks = self.check(more=self.more.replace('= all', '= $nothing'))
        self.assertEqual((10, 2), (len(checks), checks['Configuration']))
        self.assertEqual(0, checks['Paste filter'])

    def test_configuration_that_stops_engine_start_fails(self):
        for line, words in (
                ('limits_file = /absent', 'limits_file: /absent: cannot be '
                 'read: No such file'),
                ('lifecycle_modes = audit:warn', 'audit is not valid'),
                ('status_overlay = none', 'Valid values are ')):
            text = self.run_command('upgrade', 'check', '--no-db', '--json',
                                    more=self.more + line + '\n')
            self.assertEqual(2, self.status)
            self.assertIn(words, text)

    def test_no_db_skips_database_checks(self):
        checks = self.check('--no-db',
                            connection='sqlite:////nonexistent/heat.sqlite')
        self.assertEqual({'Configuration': 0, 'Plugins': 0,
                          'Heat release and signatures': 0,
                          'Paste filter': 0}, checks)
        self.assertEqual(0, self.status)

    def test_check_without_configuration_is_a_warning(self):
        self.useFixture(fixtures.MockPatch(
            'oslo_config.cfg.find_config_files', return_value=[]))
        text = self.run_main('upgrade', 'check', '--no-db')
        self.assertEqual(1, self.status)
        self.assertEqual(2, text.count('Not checked, because no heat.conf'))

    def test_paste_file_of_other_environment_is_a_warning(self):
        other = pathlib.Path(self.home.path, 'old', 'etc', 'heat')
        other.mkdir(parents=True)
        self.paste = shutil.copy(self.paste, other)
        self.more = (f'[paste_deploy]\napi_paste_config = {self.paste}\n'
                     + HEAT_EXTRAS)
        self.assertEqual(0, self.check('--no-db')['Paste filter'])
        (other.parents[1] / 'pyvenv.cfg').touch()
        text = self.run_command('upgrade', 'check', '--no-db', '--json',
                                more=self.more)
        self.assertEqual(1, self.status)
        self.assertIn(f'belongs to the Python environment {self.home.path}',
                      text)

    def test_paste_file_without_the_filter_fails(self):
        shutil.copy(test_paste_ini.HEAT, self.paste)
        self.assertEqual(2, self.check('--no-db')['Paste filter'])
        self.assertEqual(0, self.check(
            '--no-db', more=self.more.replace('all', ''))['Paste filter'])

    def test_missing_heat_paste_config_is_a_warning(self):
        for name, result in (('/nowhere/api-paste.ini', 1),
                             (str(test_paste_ini.HEAT), 0),
                             ('%(here)s/api-paste.ini', 0)):
            text = test_paste_ini.OWN.read_text().replace(
                '\napp = ', f'\nheat_paste_config = {name}\napp = ')
            with open(self.paste, 'w') as target:
                target.write(text)
            self.assertEqual(result, self.check('--no-db')['Paste filter'])

    def test_missing_paste_file_is_a_warning(self):
        checks = self.check('--no-db', more=HEAT_EXTRAS + (
            '[paste_deploy]\napi_paste_config = nowhere.ini\n'))
        self.assertEqual(1, checks['Paste filter'])
        self.assertEqual(1, self.status)

    def test_default_output_is_table(self):
        text = self.run_command('upgrade', 'check', '--no-db',
                                more=self.more)
        self.assertIn('Check: Heat release and signatures', text)

    def test_json_output_has_result_only_and_no_log_file(self):
        path = self.home.join('heat.log')
        self.more += f'[DEFAULT]\nlog_file = {path}\ndebug = true\n'
        environment = {name: value for name, value in os.environ.items()
                       if name != 'PYTHONWARNINGS'}
        done = subprocess.run(
            [sys.executable, '-c', 'import sys; '
             'from heat_extras.cmd import status; sys.exit(status.main())',
             '--config-file', self.write_config(None, self.more), 'upgrade',
             'check', '--json', '--no-db'], capture_output=True, text=True,
            timeout=120, env=environment | {'HOME': self.home.path})
        self.assertEqual(('', 0), (done.stderr, done.returncode))
        self.assertEqual(4, len(json.loads(done.stdout)['checks']))
        self.assertFalse(os.path.exists(path))

    def test_unreachable_database_is_reported_in_one_line(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.run_command('upgrade', 'check',
                             connection='sqlite:////nonexistent/x.sqlite')
        self.assertEqual(status.BROKEN, self.status)
        line, = errors.getvalue().splitlines()
        self.assertIn('unable to open', line)

    def test_default_paste_file_is_api_paste_ini(self):
        conf = cli_config.parse_command_line(status.PROG, [
            '--config-file', self.write_config(None), 'upgrade', 'check'],
            status._add_parsers)
        self.assertEqual('api-paste.ini',
                         conf.paste_deploy.api_paste_config)
