# SPDX-License-Identifier: Apache-2.0

from importlib import metadata

import fixtures
from heat.engine import service
from heat.engine import stack
from heat import version as heat_version
from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
import testtools

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.lifecycle import registry
from heat_extras.upgrade_checks import installation
from tests.unit import invalid_options

SUCCESS, WARNING, FAILURE = upgradecheck.Code


class HeatTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.conf = cfg.ConfigOpts()
        heat_extras_conf.register_opts(self.conf)
        # All ConfigOpts share the group, which contains the override.
        self.addCleanup(self.conf.clear_override, 'features', 'heat_extras')

    def fail(self):
        result = installation.check_heat(self.conf)
        self.assertEqual(FAILURE, result.code)
        return result.details

    def test_installed_heat_is_supported(self):
        result = installation.check_heat(self.conf)
        self.assertEqual(SUCCESS, result.code, result.details)

    def test_unsupported_release_fails(self):
        self.useFixture(fixtures.MockPatchObject(
            heat_version.version_info, 'version_string',
            return_value='28.0.0'))
        details = self.fail()
        self.assertIn('28.0.0', details)
        self.assertEqual(1, details.count(activation.REMEDY))

    def test_changed_signature_is_reported(self):
        def update_stack(self, cnxt, everything):
            pass
        self.useFixture(fixtures.MockPatchObject(
            service.EngineService, 'update_stack', update_stack))
        details = self.fail()
        self.assertIn('EngineService.update_stack', details)
        self.assertIn('(self, cnxt, everything)', details)

    def test_missing_private_name_is_reported(self):
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '_backup_stack'))
        del stack.Stack._backup_stack
        self.assertIn(
            'heat.engine.stack:Stack._backup_stack: Heat has no such '
            'attribute: expected (self, create_if_missing=True)', self.fail())

    def test_unknown_feature_does_not_hide_changed_signature(self):
        self.conf.set_override('features', ['lock', 'stack_lock'],
                               'heat_extras')
        self.test_changed_signature_is_reported()


class ConfigurationTest(invalid_options.TestCase):
    """The check reports the same errors as engines."""

    def check(self, *lines):
        return installation.check_configuration(self.read(lines))

    def test_every_invalid_value_is_a_failure(self):
        for row in invalid_options.ROWS:
            result = self.check(*row.lines(self.directory))
            self.assertEqual(FAILURE, result.code, row)
            self.assertTrue(result.details.startswith(
                'Engines will not start: ' if row.engine_only
                else 'Engines and API services will not start: '))
            self.assertIn(row.message(self.directory), result.details)

    def test_invalid_values_fail_without_features(self):
        result = self.check('limits_file = /absent', 'parameter_lift = two')
        self.assertEqual(FAILURE, result.code)
        for words in ('would not start with features enabled: ',
                      'parameter_lift: Valid values are '):
            self.assertIn(words, result.details)
        self.assertIn('limits_file: /absent',
                      self.check('limits_file = /absent').details)

    def test_unknown_option_is_a_warning(self):
        result = self.check('features = all', 'lock_concurency = 5')
        self.assertEqual(WARNING, result.code)
        self.assertIn('Did you mean lock_concurrency?', result.details)

    def test_plugin_that_is_never_called_is_a_warning(self):
        result = self.check(
            'features = all', 'webhook_url = https://policy.example.org/',
            'webhook_actions = CREATE',
            'lifecycle_actions = heat_extras_webhook:UPDATE')
        self.assertEqual(WARNING, result.code)
        self.assertIn('heat_extras_webhook:UPDATE is not valid: the plugin '
                      'decides on none of these actions', result.details)

    def test_lifecycle_plugin_that_does_not_load_is_reported(self):
        installed = metadata.entry_points()
        absent = metadata.EntryPoint('audit', 'no.such.module:Audit',
                                     registry.NAMESPACE)
        vars(absent).update(dist=None)
        self.useFixture(fixtures.MockPatchObject(
            registry.metadata, 'entry_points', lambda group: [
                *installed.select(group=group),
                *([absent] if group == absent.group else [])]))
        for lines, wanted in (((), FAILURE), (
                ('lifecycle_on_load_failure = warn',), WARNING)):
            result = self.check('features = all', *lines)
            self.assertEqual(wanted, result.code)
            self.assertEqual(1, result.details.count(
                'audit (no.such.module:Audit): ModuleNotFoundError'))

    def test_defaults_are_a_success(self):
        self.assertEqual((SUCCESS, None), (self.check().code,
                                           self.check().details))


class _Entries:
    """Entry points like those of importlib.metadata, with one entry."""

    def __init__(self, entry):
        self.entry = entry
        self.groups = {entry.group}

    def select(self, group):
        return [self.entry] if group == self.entry.group else []


class PluginsTest(testtools.TestCase):

    def check(self, name, value, group):
        entries = _Entries(metadata.EntryPoint(name, value, group))
        self.useFixture(fixtures.MockPatchObject(
            installation.metadata, 'entry_points', return_value=entries))
        return installation.check_plugins()

    def test_installed_plugins_load(self):
        result = installation.check_plugins()
        self.assertEqual(SUCCESS, result.code, result.details)

    def test_plugin_that_does_not_load_is_named(self):
        result = self.check('audit', 'no.such.module:Audit',
                            group='heat_extras.lock_handlers')
        self.assertEqual(FAILURE, result.code)
        self.assertIn('audit (no.such.module:Audit): '
                      'ModuleNotFoundError', result.details)

    def test_plugins_of_other_groups_are_not_loaded(self):
        self.assertEqual(SUCCESS, self.check(
            'x', 'no.such.module:X', group='other').code)

    def test_lifecycle_plugins_are_left_to_configuration_check(self):
        self.assertEqual(SUCCESS, self.check(
            'audit', 'no.such.module:Audit',
            group='heat.stack_lifecycle_plugins').code)
