# SPDX-License-Identifier: Apache-2.0

"""Tests that errors of all options are found and reported together."""

from oslo_config import cfg

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from tests.unit import invalid_options

API, ENGINE = activation.API, activation.ENGINE


class ValidationTestCase(invalid_options.TestCase):

    def find(self, *lines, process=ENGINE):
        return config_validation.find_errors(self.read(lines), process)


class InvalidValuesTest(ValidationTestCase):

    def test_every_option_is_in_the_table(self):
        options = {option.dest for option in
                   heat_extras_conf.heat_extras_opts}
        rows = {row.option for row in invalid_options.ROWS}
        self.assertEqual(options, rows | set(invalid_options.WITHOUT))

    def test_each_invalid_value_is_reported(self):
        for row in invalid_options.ROWS:
            problems = self.find(*row.lines(self.directory))
            self.assertIn(row.message(self.directory),
                          [each[:len(row.message(self.directory))]
                           for each in problems], problems)

    def test_each_invalid_value_is_the_only_error(self):
        for row in invalid_options.ROWS:
            problems = self.find(*row.lines(self.directory))
            # The file of rules has two errors.
            self.assertEqual(2 if 'rules.yaml' in row.value
                             and row.option == 'limits_file' else 1,
                             len(problems), (row, problems))

    def test_engine_only_options_are_not_checked_in_api(self):
        for row in invalid_options.ROWS:
            problems = self.find(*row.lines(self.directory), process=API)
            self.assertEqual(0 if row.engine_only else 1, len(problems),
                             (row, problems))

    def test_all_bad_options_are_reported_at_once(self):
        rows = invalid_options.at_once()
        problems = self.find(*(f'{row.option} = {row.value}' for row in rows))
        self.assertEqual([row.option for row in rows], sorted(
            (each.partition(':')[0].removeprefix('[heat_extras] ')
             for each in problems), key=[row.option for row in rows].index))

    def test_files_are_read_only_if_options_are_valid(self):
        lines = ['limits_file = /absent', 'features = all']
        self.assertIn('limits_file', self.find(*lines)[0])
        problem, = self.find('status_overlay = none', *lines)
        self.assertIn('status_overlay', problem)

    def test_defaults_are_valid(self):
        for process in (ENGINE, API):
            self.assertEqual([], self.find('features = all',
                                           process=process))
            self.assertEqual([], self.find(process=process))


class ValuesTest(ValidationTestCase):

    def test_dollar_without_option_name_is_reported(self):
        for option in heat_extras_conf.heat_extras_opts:
            problems = self.find(f'{option.name} = a$x')
            self.assertTrue(problems[0].startswith(
                f'[heat_extras] {option.name}: the value has a $ before '
                'the name of an option '), problems)
            self.assertIn('To use the character $ itself, write $$',
                          problems[0])

    def test_secret_is_not_in_error(self):
        self.assertNotIn('sesame', ''.join(
            self.find('webhook_secret = sesame$open')))

    def test_validation_does_not_change_values(self):
        conf = self.read(['features = all', 'status_overlay = none',
                          'lock_concurrency = 7'])
        self.assertEqual(1, len(config_validation.find_errors(conf, ENGINE)))
        self.assertEqual(7, conf.heat_extras.lock_concurrency)
        self.assertRaises(cfg.ConfigFileValueError, getattr,
                          conf.heat_extras, 'status_overlay')


class WarningsTest(ValidationTestCase):
    """Unknown options and sections are warnings, not errors."""

    def warnings(self, *lines, **options):
        return config_validation.find_warnings(self.read(lines, **options))

    def test_unknown_options_are_reported(self):
        self.assertEqual(
            ['[heat_extras] lock_concurency: no option has this name. Did you '
             'mean lock_concurrency?',
             '[heat_extras] zzz: no option has this name. Remove the option, '
             'unless another program on this host reads it',
             '[heat_extras] status-overlay: no option has this name. Did you '
             'mean status_overlay?'],
            self.warnings('lock_concurency = 5', 'zzz = 1', 'features = all',
                          'status-overlay = full'))

    def test_options_registered_by_plugin_are_not_reported(self):
        conf = self.read(['audit_url = https://x/'])
        conf.register_opts([cfg.StrOpt('audit_url')], 'heat_extras')
        self.assertEqual([], config_validation.find_warnings(conf))

    def test_misspelled_section_is_reported(self):
        self.assertEqual(
            ['[heat-extras]: this section is not read. Did you mean '
             '[heat_extras]?'],
            self.warnings('features = all', section='heat-extras'))

    def test_valid_options_have_no_warnings(self):
        self.assertEqual([], self.warnings(
            'features = all', more='[trustee]\nauth_type = password\n'))
        self.assertEqual([], config_validation.find_warnings(cfg.ConfigOpts()))


class ConfigFilesTest(ValidationTestCase):

    def test_unknown_options_of_all_files_are_reported(self):
        folder = self.directory / 'heat.conf.d'
        folder.mkdir()
        (folder / 'a.conf').write_text('[HEAT_EXTRAS]\nyyy = 1\n')
        conf = self.read(['zzz = 1'])
        conf([], default_config_files=list(conf.config_file),
             default_config_dirs=[str(folder)])
        self.assertEqual(
            ['zzz', 'yyy'],
            [warning.partition(':')[0].removeprefix('[heat_extras] ')
             for warning in config_validation.find_warnings(conf)])

    def test_deleted_config_file_has_no_warnings(self):
        conf = self.read(['zzz = 1'])
        (self.directory / 'heat.conf').unlink()
        self.assertEqual([], config_validation.find_warnings(conf))
