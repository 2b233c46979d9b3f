# SPDX-License-Identifier: Apache-2.0

"""A bad configuration of every option is told of, all at once."""

import pathlib

import fixtures
from oslo_config import cfg
from oslo_config import types
import testtools

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.config_validation import validation
from tests.unit import misconfigured

API, ENGINE = activation.API, activation.ENGINE


class ValidationTestCase(misconfigured.TestCase):

    def find(self, *lines, process=ENGINE):
        return validation.find_errors(self.read(lines), process)


class TableTest(ValidationTestCase):

    def test_every_option_is_in_the_table(self):
        options = {option.dest for option in
                   heat_extras_conf.heat_extras_opts}
        rows = {row.option for row in misconfigured.ROWS}
        self.assertEqual(options, rows | set(misconfigured.WITHOUT))

    def test_each_bad_value_is_told_by_itself(self):
        for row in misconfigured.ROWS:
            found = self.find(*row.lines(self.directory))
            self.assertIn(row.message(self.directory),
                          [each[:len(row.message(self.directory))]
                           for each in found], found)

    def test_and_nothing_else_is_told(self):
        for row in misconfigured.ROWS:
            found = self.find(*row.lines(self.directory))
            # The file of rules has two mistakes.
            self.assertEqual(2 if 'rules.yaml' in row.value
                             and row.option == 'limits_file' else 1,
                             len(found), (row, found))

    def test_an_api_is_told_of_all_but_what_only_engines_read(self):
        for row in misconfigured.ROWS:
            found = self.find(*row.lines(self.directory), process=API)
            self.assertEqual(0 if row.engine_only else 1, len(found),
                             (row, found))

    def test_all_bad_options_are_told_at_once(self):
        rows = misconfigured.at_once()
        # Of a row for each option, "more" is in other rows.
        lines = [f'{row.option} = {row.value}' for row in rows]
        found = self.find(*(line.replace('{dir}', str(self.directory))
                            for line in lines))
        for row in rows:
            self.assertTrue(
                any(each.startswith(f'[heat_extras] {row.option}')
                    for each in found), (row, found))

    def test_defaults_are_good(self):
        for process in (ENGINE, API):
            self.assertEqual([], self.find('features = all',
                                           process=process))
            self.assertEqual([], self.find(process=process))


class ValuesTest(ValidationTestCase):

    def test_a_dollar_that_names_no_option(self):
        for option in heat_extras_conf.heat_extras_opts:
            found = self.find(f'{option.name} = a$x')
            self.assertTrue(found[0].startswith(
                f'[heat_extras] {option.name}: found a'), found)
            self.assertIn('wanted $$ for the character itself', found[0])

    def test_no_secret_is_told(self):
        self.assertNotIn('sesame', ''.join(
            self.find('webhook_secret = sesame$open')))

    def test_the_last_file_counts(self):
        first = self.directory / 'first.conf'
        first.write_text('[heat_extras]\nlock_concurrency = few\n')
        conf = self.read(['lock_concurrency = many'])
        conf([], default_config_files=[str(first), *conf.config_file],
             default_config_dirs=[])
        self.assertIn('found many, ', validation.find_errors(conf, API)[0])

    def test_a_directory_of_files_counts_after_them(self):
        folder = self.directory / 'heat.conf.d'
        folder.mkdir()
        (folder / 'a.conf').write_text(
            '[heat_extras]\nlock_concurrency = few\n')
        conf = self.read(['lock_concurrency = many'])
        conf([], default_config_files=list(conf.config_file),
             default_config_dirs=[str(folder)])
        self.assertIn('found few, ', validation.find_errors(conf, API)[0])

    def test_so_does_the_environment(self):
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_HEAT_EXTRAS__LOCK_CONCURRENCY', 'lots'))
        self.assertIn('found lots, ',
                      self.find('lock_concurrency = 5')[0])

    def test_values_are_not_changed_by_looking(self):
        conf = self.read(['features = all', 'status_overlay = none',
                          'lock_concurrency = 7'])
        self.assertEqual(1, len(validation.find_errors(conf, ENGINE)))
        self.assertEqual(7, conf.heat_extras.lock_concurrency)
        self.assertRaises(cfg.ConfigFileValueError, getattr,
                          conf.heat_extras, 'status_overlay')


class WarningsTest(ValidationTestCase):
    """What nobody reads is no mistake for an engine, but probably one."""

    def warnings(self, *lines, **options):
        return validation.find_warnings(self.read(lines, **options))

    def test_options_that_there_are_not(self):
        self.assertEqual(
            ['[heat_extras] lock_concurency: found no option of this name; '
             'did you mean lock_concurrency?',
             '[heat_extras] zzz: found no option of this name; take it out, '
             'unless something else here reads it',
             '[heat_extras] status-overlay: found no option of this name; '
             'did you mean status_overlay?'],
            self.warnings('lock_concurency = 5', 'zzz = 1', 'features = all',
                          'status-overlay = full'))

    def test_a_plugin_may_have_options_of_its_own_there(self):
        conf = self.read(['audit_url = https://x/'])
        conf.register_opts([cfg.StrOpt('audit_url')], 'heat_extras')
        self.assertEqual([], validation.find_warnings(conf))

    def test_sections_that_there_are_not(self):
        self.assertEqual(
            ['[heat-extras]: found a section that nobody reads; did you mean '
             '[heat_extras]?'],
            self.warnings('features = all', section='heat-extras'))

    def test_none(self):
        self.assertEqual([], self.warnings(
            'features = all', more='[trustee]\nauth_type = password\n'))
        self.assertEqual([], validation.find_warnings(cfg.ConfigOpts()))


class WantedTest(testtools.TestCase):

    def test_types(self):
        choices = types.String(choices=['a', 'b'])
        for kind, said in (
                (types.Boolean(), 'true or false'),
                (types.Integer(), 'a whole number'),
                (types.Integer(min=0), 'a whole number, 0 or more'),
                (types.Integer(max=5), 'a whole number, 5 or less'),
                (types.Float(min=0, max=0.5), 'a number from 0 to 0.5'),
                (choices, 'one of a, b'),
                (types.List(choices), 'one or more of a, b, with commas '
                                      'between'),
                (types.List(), 'texts, with commas between'),
                (types.Dict(choices), 'NAME:VALUE, with commas between '
                                      'several, each VALUE one of a, b'),
                (types.String(), 'text')):
            self.assertEqual(said, validation.describe_type(kind))


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
