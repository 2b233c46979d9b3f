# SPDX-License-Identifier: Apache-2.0

"""A bad configuration of every option is told of, all at once."""

import fixtures
from oslo_config import cfg

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.config_validation import validation
from tests.unit import misconfigured

API, ENGINE = activation.API, activation.ENGINE


class MistakesTestCase(misconfigured.TestCase):

    def find(self, *lines, process=ENGINE):
        return validation.find_errors(self.read(lines), process)


class TableTest(MistakesTestCase):

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


class ValuesTest(MistakesTestCase):

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


class DoubtsTest(MistakesTestCase):
    """What nobody reads is no mistake for an engine, but probably one."""

    def doubts(self, *lines, **options):
        return validation.find_warnings(self.read(lines, **options))

    def test_options_that_there_are_not(self):
        self.assertEqual(
            ['[heat_extras] lock_concurency: found no option of this name; '
             'did you mean lock_concurrency?',
             '[heat_extras] zzz: found no option of this name; take it out, '
             'unless something else here reads it',
             '[heat_extras] status-overlay: found no option of this name; '
             'did you mean status_overlay?'],
            self.doubts('lock_concurency = 5', 'zzz = 1', 'features = all',
                        'status-overlay = full'))

    def test_a_plugin_may_have_options_of_its_own_there(self):
        conf = self.read(['audit_url = https://x/'])
        conf.register_opts([cfg.StrOpt('audit_url')], 'heat_extras')
        self.assertEqual([], validation.find_warnings(conf))

    def test_files_that_depend_on_where_one_is(self):
        self.assertEqual(
            ['[heat_extras] limits_file: found limits.yaml, wanted the whole '
             'path, as engines are started in another directory'],
            self.doubts('limits_file = limits.yaml', 'webhook_ca_file =',
                        'webhook_cert_file = /etc/heat/a.pem',
                        'webhook_key_file = $state_path/a.pem',
                        'placement_inventory = https://x/'))

    def test_attempts_that_the_engine_does_not_wait_for(self):
        lines = ('webhook_url = https://x/', 'webhook_timeout = 30')
        said = ('[heat_extras] webhook_timeout: found 30 s for each of 3 '
                'webhook_attempts, and an engine that waits 60 s for '
                'heat_extras_webhook in all (lifecycle_timeout); wanted '
                'time for every attempt')
        self.assertEqual([said], self.doubts(*lines))
        # What is no number is a mistake by itself.
        self.assertEqual([said], self.doubts(*lines,
                                             'webhook_attempts = many'))
        self.assertEqual(
            [said.replace('60 s', '80 s').replace('timeout);', 'timeouts);')],
            self.doubts(*lines, 'lifecycle_timeouts = '
                        'heat_extras_webhook:80'))
        self.assertEqual(
            [said.replace('_webhook in', '_placement in')],
            self.doubts('placement_inventory = https://x/', lines[1]))
        for line in ('lifecycle_timeout = 0', 'lifecycle_timeout = 90',
                     'webhook_attempts = 2',
                     'lifecycle_timeouts = heat_extras_webhook:90'):
            self.assertEqual([], self.doubts(*lines, line), line)
        self.assertEqual([], self.doubts('placement_inventory = /x.yaml',
                                         lines[1]))

    def test_every_option_that_names_a_file_is_known(self):
        self.assertEqual(
            {option.dest for option in heat_extras_conf.heat_extras_opts
             if option.dest.endswith('_file')} | {'placement_inventory'},
            set(heat_extras_conf.PATHS))

    def test_sections_that_there_are_not(self):
        self.assertEqual(
            ['[heat-extras]: found a section that nobody reads; did you mean '
             '[heat_extras]?'],
            self.doubts('features = all', section='heat-extras'))

    def test_none(self):
        self.assertEqual([], self.doubts(
            'features = all', more='[trustee]\nauth_type = password\n'))
        self.assertEqual([], validation.find_warnings(cfg.ConfigOpts()))
