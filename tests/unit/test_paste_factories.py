# SPDX-License-Identifier: Apache-2.0

"""The paste factories, without Heat's application behind them."""

import os
import sys
from unittest import mock

import fixtures
from oslo_config import cfg
import testtools

from heat_extras import activation
from heat_extras import operator_errors
from heat_extras import paste_factories


class PasteTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.activate = self.useFixture(fixtures.MockPatchObject(
            activation, 'activate')).mock
        self.log = self.useFixture(fixtures.FakeLogger())


class FilterFactoryTest(PasteTestCase):
    def test_filter_activates_and_returns_application(self):
        application = object()
        self.assertIs(
            application,
            paste_factories.filter_factory({}, key='word')(application))
        self.activate.assert_called_once_with(mock.ANY, activation.API)

    def test_filter_is_not_created_if_activation_fails(self):
        self.activate.side_effect = operator_errors.ActivationError('why')
        self.assertRaises(operator_errors.ActivationError,
                          paste_factories.filter_factory, {})
        self.assertRegex(self.log.output,
                         '^heat-extras: this API is not started: why\n$')

    def test_missing_module_error_names_extra(self):
        self.activate.side_effect = ModuleNotFoundError('tenacity')
        self.assertRaises(
            ModuleNotFoundError, paste_factories.filter_factory, {})
        self.assertRegex(
            self.log.output,
            '^heat-extras: this API is not started: ModuleNotFoundError: '
            r'tenacity .*. Install heat-extras\[engine\]\. If it .*\n$')


class CompositeFactoryTest(PasteTestCase):
    def setUp(self):
        super().setUp()
        self.prefix = self.useFixture(fixtures.TempDir()).path
        self.useFixture(fixtures.MockPatchObject(sys, 'prefix', self.prefix))
        self.found = self.useFixture(fixtures.MockPatchObject(
            cfg.CONF, 'find_file', return_value=None)).mock
        self.load = self.useFixture(fixtures.MockPatchObject(
            paste_factories.deploy, 'loadapp')).mock

    def write(self, *path):
        path = os.path.join(self.prefix, *path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w'):
            return path

    def make(self, **local):
        return paste_factories.composite_factory(None, {}, 'heat-api', **local)

    def assert_loads(self, path, **local):
        application = self.make(**local)
        self.assertIs(self.load.return_value, application)
        self.load.assert_called_once_with(f'config:{path}', name='heat-api')

    def test_activates_before_application_is_loaded(self):
        self.write('etc', 'heat', 'api-paste.ini')
        self.load.side_effect = lambda *args, **kwargs: (
            self.activate.assert_called_once_with(mock.ANY, activation.API))
        self.make()
        self.load.assert_called_once()

    def test_application_is_not_loaded_if_activation_fails(self):
        self.activate.side_effect = operator_errors.ActivationError('why')
        self.assertRaises(operator_errors.ActivationError, self.make)
        self.load.assert_not_called()
        self.assertIn('is not started: why', self.log.output)

    def test_paste_file_beside_heat_conf_is_preferred(self):
        self.write('etc', 'heat', 'api-paste.ini')
        path = self.write('conf', 'api-paste.ini')
        self.found.return_value = path
        self.assert_loads(path)
        self.found.assert_called_once_with('api-paste.ini')

    def test_paste_file_in_environment_is_found(self):
        self.assert_loads(self.write('etc', 'heat', 'api-paste.ini'))

    def test_configured_paste_file_is_used(self):
        self.write('etc', 'heat', 'api-paste.ini')
        path = self.write('other.ini')
        self.assert_loads(path, heat_paste_config=path)

    def test_missing_configured_paste_file_is_rejected(self):
        self.write('etc', 'heat', 'api-paste.ini')
        error = self.assertRaises(
            operator_errors.ActivationError, self.make,
            heat_paste_config='/nowhere/paste.ini')
        self.assertIn('Searched paths: /nowhere/paste.ini.', str(error))

    def test_error_lists_searched_paths(self):
        error = self.assertRaises(operator_errors.ActivationError, self.make)
        self.assertIn(
            'Searched paths: ' + os.path.join(
                self.prefix, 'etc', 'heat', 'api-paste.ini')
            + '. In the paste file of heat-extras, set "heat_paste_config"',
            str(error))
