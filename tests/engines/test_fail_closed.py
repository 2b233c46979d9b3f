# SPDX-License-Identifier: Apache-2.0

"""An enabled guard that cannot be applied stops the daemon: real daemons."""

import json
import shutil

import testtools

from tests.harness import class_fixtures
from tests.harness import command
from tests.harness import installation
from tests.harness import ports
from tests.unit import invalid_options

NOT_STARTED = 'is not started: '


class EngineTestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """With databases that are made once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls.use_in_class(installation.Installation())
        made.configure()
        cls.made = made.directory / 'heat.sqlite'
        cls.made_bare = made.directory / 'bare.sqlite'
        made.prepare_database(extended=False)
        shutil.copy(cls.made, cls.made_bare)
        made.prepare_database()

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(installation.Installation())
        self.heat.configure()
        self.use_database(self.made)

    def use_database(self, made):
        shutil.copy(made, self.heat.directory / 'heat.sqlite')

    def assert_refuses(self, *wanted, fault=None):
        """Start an engine and check its only error line."""
        engine = self.heat.start_engine(fault)
        self.assertNotEqual(0, engine.wait_for_end())
        text = engine.output()
        self.assertNotIn('Traceback', text)
        line, = [line for line in text.splitlines()
                 if 'heat-extras' in line or 'heat_extras' in line]
        start = f'heat-extras: heat-engine {NOT_STARTED}'
        self.assertTrue(line.startswith(start), line)
        for words in wanted:
            self.assertIn(words, line)
        in_log, = [line for line in self.heat.log_text().splitlines()
                   if NOT_STARTED in line]
        self.assertTrue(in_log.endswith(line), in_log)
        self.assertNotIn(installation.IN_FORCE.partition('%')[0],
                         self.heat.log_text())
        return line


class EngineTest(EngineTestCase):
    def test_engine_starts_if_all_checks_pass(self):
        engine = self.heat.start_engine()
        engine.wait_until('to have the guards in force', self.heat.log_text,
                          lambda log: installation.IN_FORCE % 'engine' in log)
        # The child that serves is forked after that.
        engine.wait_until('to serve', self.is_serving)
        self.assertNotIn(NOT_STARTED, self.heat.log_text())

    def is_serving(self):
        return 'Starting engine_worker' in self.heat.log_text()

    def test_engine_starts_unpatched_if_no_feature_is_enabled(self):
        self.heat.configure(features='')
        self.use_database(self.made_bare)
        engine = self.heat.start_engine(fault='another_signature')
        engine.wait_until('to serve', self.is_serving)
        self.assertNotIn('heat-extras', self.heat.log_text())

    def test_changed_heat_signature_prevents_start(self):
        self.assert_refuses(
            'heat.engine.service:EngineService.update_stack: (self, '
            'cnxt, stack_identity, template, wish) is not supported: expected '
            '(self, cnxt, stack_identity, template, params, ',
            '. Install a release of heat-extras that supports this Heat, or '
            'make [heat_extras] features empty', fault='another_signature')

    def test_changed_private_signature_prevents_start(self):
        self.assert_refuses(
            'heat.engine.stack:Stack._resource_from_db_resource: (self, row) '
            'is not supported: expected (self, db_res, stk_def_cache=None). '
            'Install a release of heat-extras that supports this Heat, or '
            'make [heat_extras] features empty',
            fault='another_private_signature')

    def test_heat_extras_import_error_prevents_start(self):
        self.assert_refuses(
            'ModuleNotFoundError: import of '
            'heat_extras.patches.engine_service',
            'heat_extras/monkey_patch.py:', fault='engine_module_missing')

    def test_broken_package_prevents_start(self):
        self.assert_refuses(
            'ModuleNotFoundError: import of heat_extras.activation',
            'engine_entry_point.py:', fault='package_broken')

    def test_missing_columns_prevent_start(self):
        self.use_database(self.made_bare)
        self.assert_refuses(
            "missing in Heat's database: stack.lock_level and ",
            'Run "heat-extras-manage db_sync"')

    def test_unsupported_heat_release_prevents_start(self):
        self.assert_refuses(
            'Heat 28.0.0 is not supported: expected >=24.1,<28',
            fault='unsupported_heat')

    def test_unknown_feature_prevents_start(self):
        self.heat.configure(features='stack_lock, stack_lok')
        self.assert_refuses("[heat_extras] features: 'stack_lok' is not "
                            'valid: expected "all" or any of freeze, guards')

    def test_missing_database_connection_prevents_start(self):
        self.heat.configure(connection='')
        self.assert_refuses('[database] connection is not set')

    def test_unusable_database_prevents_start(self):
        self.heat.configure(connection='sqlite:////nowhere/heat.sqlite')
        self.assert_refuses(
            "[database] connection: Heat's database cannot be used: "
            'OperationalError: unable to open')

    def test_unreachable_database_prevents_start(self):
        self.heat.configure(
            connection='mysql+pymysql://heat:secret@127.0.0.1:'
                       f'{ports.free_port()}/heat')
        line = self.assert_refuses("Can't connect to MySQL server",
                                   "Heat's database cannot be used: ")
        self.assertNotIn('secret', line)

    def test_error_is_shown_once_if_log_is_standard_error(self):
        self.heat.configure(features='stack_lok', log='')
        engine = self.heat.start_engine()
        self.assertNotEqual(0, engine.wait_for_end())
        self.assertEqual(1, engine.output().count(NOT_STARTED),
                         engine.output())


class ConfigurationTest(EngineTestCase):
    """The upgrade check reports errors that prevent an engine's start."""

    def setUp(self):
        super().setUp()
        invalid_options.write_files(self.heat.directory)

    def configure(self, lines):
        # The first option of the section is the features.
        features, = [line.partition(' = ')[2] for line in lines
                     if line.startswith('features = ')]
        self.heat.configure(features='\n'.join([features, *(
            line for line in lines if not line.startswith('features = '))]))

    def check(self):
        """Run the check and return the details of its configuration check."""
        done = command.run([
            command.program('heat-extras-status'), '--config-file',
            self.heat.directory / 'heat.conf', 'upgrade', 'check',
            '--no-db', '--json'])
        self.assertEqual(('', 2), (done.stderr, done.returncode))
        return {each['check']: each['details'] for each
                in json.loads(done.stdout)['checks']}['Configuration']

    def test_all_invalid_options_are_reported_at_once(self):
        rows = invalid_options.at_once()
        self.configure(['features = all', *(
            f'{row.option} = {row.value}' for row in rows)])
        line = self.assert_refuses(*(
            f'[heat_extras] {row.option}' for row in rows))
        output = self.check()
        for problem in line.partition(
            NOT_STARTED)[2].split('; [heat_extras] '):
            self.assertIn(problem.removeprefix('[heat_extras] '), output)
        self.assertNotIn('secret@', line)

    def test_invalid_values_and_missing_files_prevent_start(self):
        chosen = {'status_overlay': 'none', 'lock_concurrency': '0',
                  'limits_file': invalid_options.ABSENT,
                  'lifecycle_modes': 'audit:warn, log:warn'}
        rows = [row for row in invalid_options.ROWS
                if chosen.get(row.option) == row.value]
        self.assertEqual(len(chosen), len(rows))
        for row in rows:
            self.heat = self.useFixture(installation.Installation())
            self.configure(row.lines(self.heat.directory))
            line = self.assert_refuses(row.message(self.heat.directory))
            self.assertIn(line.partition(NOT_STARTED)[2], self.check())

    def test_unknown_option_is_logged_and_engine_starts(self):
        self.configure(['features = stack_lock', 'lock_concurency = 5'])
        engine = self.heat.start_engine()
        engine.wait_until('to have the guards in force', self.heat.log_text,
                          lambda log: installation.IN_FORCE % 'engine' in log)
        self.assertIn('lock_concurency: no option has this name. Did '
                      'you mean lock_concurrency?', self.heat.log_text())


class ApiTest(testtools.TestCase):
    """Heat's WSGI scripts, without an engine."""

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(installation.Installation())

    def start(self, **settings):
        self.heat.configure(**settings)
        api = installation.Api(self.heat)
        api.wait_until_up()
        return api

    def assert_knows_lock(self, api):
        # Refused by our own code in the API, for the engine is not there.
        answer = api.act({'lock': {'colour': 'red'}})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn("Invalid body of lock: unknown key 'colour'",
                      answer.text)
        self.assertNotIn('Invalid action', answer.text)
        self.assertIn(installation.IN_FORCE % 'api', self.heat.log_text())

    def assert_knows_no_lock(self, api):
        answer = api.act({'lock': None})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn('Invalid action lock specified', answer.text)
        self.assertNotIn('heat-extras', self.heat.log_text())

    def assert_refuses(self, *wanted, fault, **settings):
        self.heat.configure(**settings)
        api = installation.Api(self.heat, fault=fault)
        self.assertNotEqual(0, api.daemon.wait_for_end())
        line, = [line for line in self.heat.log_text().splitlines()
                 if NOT_STARTED in line]
        for words in ('heat-extras: this API ' + NOT_STARTED, *wanted):
            self.assertIn(words, line)

    def write_paste(self):
        """Add the filter to Heat's paste file, as the shipped file says."""
        text = (installation.HEAT_ETC / 'api-paste.ini').read_text()
        path = self.heat.directory / 'api-paste.ini'
        path.write_text(
            text.replace(' apiv1app\n', ' heat_extras apiv1app\n')
            + '\n[filter:heat_extras]\n'
              'use = egg:heat-extras#heat_extras\n')
        return path

    def test_shipped_paste_file_enables_lock(self):
        self.assert_knows_lock(self.start(paste=installation.shipped_paste()))

    def test_shipped_paste_file_uses_paste_file_beside_heat_conf(self):
        text = (installation.HEAT_ETC / 'api-paste.ini').read_text()
        (self.heat.directory / 'api-paste.ini').write_text(
            text.replace('/healthcheck:', '/well:'))
        api = self.start(paste=installation.shipped_paste())
        self.assert_knows_lock(api)
        self.assertEqual(200, api.get('/well').status_code)

    def test_shipped_paste_file_without_features_adds_no_lock(self):
        self.assert_knows_no_lock(self.start(
            paste=installation.shipped_paste(), features=''))

    def test_filter_in_heats_paste_file_enables_lock(self):
        self.assert_knows_lock(self.start(paste=self.write_paste()))

    def test_unmodified_heat_paste_file_adds_no_lock(self):
        self.assert_knows_no_lock(self.start(
            paste=installation.HEAT_ETC / 'api-paste.ini'))

    def test_shipped_paste_file_starts_cfn_api(self):
        self.heat.configure(paste=installation.shipped_paste(),
                            flavor='standalone')
        api = installation.Api(self.heat, 'heat-wsgi-api-cfn')
        api.wait_until_up()
        self.assertIn(installation.IN_FORCE % 'api', self.heat.log_text())

    def test_changed_heat_signature_prevents_start(self):
        self.assert_refuses(
            'heat.api.aws.exception:map_remote_error: (ex, wish) is not '
            'supported: expected (ex)', fault='another_api_signature',
            paste=installation.shipped_paste())

    def test_invalid_option_values_prevent_start(self):
        self.assert_refuses(
            '[heat_extras] parameter_lift: Valid values are [same_update, '
            'two_step]', '[heat_extras] lock_concurrency: Should be greater '
            'than or equal to 1', fault=None,
            paste=installation.shipped_paste(), features='all\n'
            'parameter_lift = twostep\nlock_concurrency = 0')

    def test_missing_limits_file_does_not_prevent_start(self):
        self.start(paste=installation.shipped_paste(),
                   features='all\nlimits_file = /absent')
        self.assertIn('stack_lock, update_policy (',
                      self.heat.log_text())

    def test_changed_heat_signature_with_filter_prevents_start(self):
        self.assert_refuses(
            'heat.api.aws.exception:map_remote_error: (ex, wish) is not '
            'supported: expected (ex)', fault='another_api_signature',
            paste=self.write_paste())

    def test_heat_extras_import_error_prevents_start(self):
        self.assert_refuses(
            'import of heat_extras.patches.api_actions',
            fault='api_module_missing',
            paste=installation.shipped_paste())

    def test_broken_package_prevents_start(self):
        self.heat.configure(paste=installation.shipped_paste())
        api = installation.Api(self.heat, fault='package_broken')
        self.assertNotEqual(0, api.daemon.wait_for_end())
        self.assertIn('import of heat_extras.activation halted',
                      self.heat.log_text())
