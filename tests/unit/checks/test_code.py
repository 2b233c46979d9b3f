# SPDX-License-Identifier: Apache-2.0

from importlib import metadata

import fixtures
from heat.engine import service
from heat.engine import stack
from heat import version as heat_version
from oslo_config import cfg
from oslo_upgradecheck import upgradecheck
import testtools

from heat_extras.checks import code
from heat_extras import conf as heat_extras_conf

SUCCESS, WARNING, FAILURE = upgradecheck.Code


class HeatTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.conf = cfg.ConfigOpts()
        heat_extras_conf.register_opts(self.conf)
        # Groups are shared by all ConfigOpts, and overrides are in them.
        self.addCleanup(self.conf.clear_override, 'features', 'heat_extras')

    def fail(self):
        result = code.check_heat(self.conf)
        self.assertEqual(FAILURE, result.code)
        return result.details

    def test_installed_heat_fits(self):
        result = code.check_heat(self.conf)
        self.assertEqual(SUCCESS, result.code, result.details)

    def test_release_that_is_not_supported(self):
        self.useFixture(fixtures.MockPatchObject(
            heat_version.version_info, 'version_string',
            return_value='28.0.0'))
        self.assertIn('28.0.0', self.fail())

    def test_signature_that_changed_in_a_point_release(self):
        def update_stack(self, cnxt, everything):
            pass
        self.useFixture(fixtures.MockPatchObject(
            service.EngineService, 'update_stack', update_stack))
        details = self.fail()
        self.assertIn('EngineService.update_stack', details)
        self.assertIn('(self, cnxt, everything)', details)

    def test_private_name_that_is_gone(self):
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '_backup_stack'))
        del stack.Stack._backup_stack
        self.assertIn(
            'heat.engine.stack:Stack._backup_stack: found no such attribute, '
            'wanted (self, create_if_missing=True)', self.fail())

    def test_unknown_feature(self):
        self.conf.set_override('features', ['lock'], 'heat_extras')
        self.assertIn('found lock', self.fail())


class _Entries:
    """As importlib.metadata.entry_points() answers, with one more."""

    def __init__(self, entry):
        self.entry = entry
        self.groups = {entry.group}

    def select(self, group):
        return [self.entry] if group == self.entry.group else []


class PluginsTest(testtools.TestCase):

    def check(self, name, value, group='heat.stack_lifecycle_plugins'):
        entries = _Entries(metadata.EntryPoint(name, value, group))
        self.useFixture(fixtures.MockPatchObject(
            code.metadata, 'entry_points', return_value=entries))
        return code.check_plugins()

    def test_installed_plugins_load(self):
        result = code.check_plugins()
        self.assertEqual(SUCCESS, result.code, result.details)

    def test_plugin_that_does_not_load_is_named(self):
        result = self.check('audit', 'no.such.module:Audit')
        self.assertEqual(FAILURE, result.code)
        self.assertIn('audit (no.such.module:Audit): found '
                      'ModuleNotFoundError', result.details)

    def test_plugins_of_others_are_not_loaded(self):
        self.assertEqual(SUCCESS, self.check(
            'x', 'no.such.module:X', group='other').code)

    def test_our_own_entry_point_is_not_loaded_here(self):
        self.assertEqual(SUCCESS, self.check(
            'heat_extras', 'no.such.module:X').code)
