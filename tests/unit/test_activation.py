# SPDX-License-Identifier: Apache-2.0

"""Activation of test features that patch a test class."""

import functools

import fixtures
from heat.common import exception as heat_exception
from heat.engine import resources
from heat.engine import stack
from heat.engine import template
from oslo_config import cfg
import testtools

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras.db import stack_columns
from heat_extras import features
from heat_extras import guard
from heat_extras import monkey_patch
from heat_extras import operator_errors
from tests.unit.db import base


class Target:
    def method(self, value):
        return value


class Mixin:
    @monkey_patch.wrap('(self, value)', why='test')
    def method(self, original, value):
        return f'wrapped {original(value)}'


class MisfitMixin:
    @monkey_patch.wrap('(self, other)', why='test')
    def method(self, original, other):
        """Is never applied."""


class Feature:
    name = 'stack_lock'
    make_guard = guard.Guard

    def __init__(self, mixin=Mixin, fails=False):
        self.mixin = mixin
        self.fails = fails
        self.calls = []

    def is_wanted(self, conf, process):
        return True

    def load_errors(self):
        """Load nothing."""

    def start(self, process):
        self.calls.append(f'start {process}')
        if self.fails:
            raise ValueError('cannot start')

    def stop(self, process):
        self.calls.append(f'stop {process}')


def list_records(original, chosen, process):
    """List the patches of the features above, or else of Heat."""
    if not any(isinstance(each, Feature) for each in chosen):
        return original(chosen, process)
    return [record for each in chosen for record in monkey_patch.records(
        f'{__name__}:Target', each.mixin)]


class ActivationTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(
            activation, '_records', functools.partial(
                list_records, activation._records)))
        self.conf = cfg.ConfigOpts()
        heat_extras_conf.register_opts(self.conf)
        self.load = self.useFixture(fixtures.MockPatchObject(
            activation, '_load')).mock
        self.before = vars(Target)['method']
        self.addCleanup(activation.deactivate)

    def activate(self, *chosen, process=activation.API,
                 names=('stack_lock',), **options):
        self.load.return_value = chosen
        self.conf.set_override('features', list(names), 'heat_extras')
        return activation.activate(self.conf, process, **options)

    def assert_fails(self, *chosen, **options):
        """Check that no patch is applied, and return the error message."""
        error = self.assertRaises(
            operator_errors.ActivationError, self.activate, *chosen, **options)
        self.assertIs(self.before, vars(Target)['method'])
        return str(error)


class ActivateTest(ActivationTestCase):

    def read(self):
        """Parse a template with a heat-extras attribute, like an engine."""
        return template.Template({
            'heat_template_version': '2018-08-31', 'parameters': {'key': {
                'type': 'string', 'updatable': False}}}).param_schemata()

    def test_engine_without_features_accepts_updatable_attribute(self):
        # Loads the plugins of Heat, including the heat-extras plugin.
        resources.global_env()
        activation.deactivate()
        self.assertRaises(heat_exception.InvalidSchemaError, self.read)
        self.assertEqual([], self.activate(
            names=(), process=activation.ENGINE, check_database=False))
        self.assertFalse(self.read()['key'].immutable)
        activation.deactivate()
        self.assertRaises(heat_exception.InvalidSchemaError, self.read)

    def test_engine_with_only_unset_freezes_accepts_attribute(self):
        resources.global_env()
        activation.deactivate()
        self.load.side_effect = lambda names: [
            features.FEATURES[name] for name in names]
        self.conf.set_override('features', ['freeze'], 'heat_extras')
        self.assertEqual(['freeze'], activation.activate(
            self.conf, activation.ENGINE, check_database=False))
        self.assertFalse(self.read()['key'].immutable)

    def test_engine_without_features_starts_despite_mismatch(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.useFixture(fixtures.MockPatchObject(
            activation, '_records', return_value=monkey_patch.records(
                f'{__name__}:Target', MisfitMixin)))
        self.assertEqual([], self.activate(
            names=(), process=activation.ENGINE, check_database=False))
        self.assertIn('this engine cannot load stacks whose templates have '
                      '"updatable" or "update_policy.allow"', log.output)
        self.assertIn('(self, value) is not supported: expected (self, other)',
                      log.output)

    def test_all_enables_every_feature(self):
        self.assertEqual(sorted(heat_extras_conf.FEATURES), self.activate(
            Feature(), names=('all',)))

    def test_invalid_option_values_are_rejected(self):
        self.configure('status_overlay = maybe', 'lock_concurrency = many',
                       'lock_resource_timeout = 0', 'webhook_timeout = nan',
                       'webhook_secret = s3$cret')
        for process in (activation.ENGINE, activation.API):
            message = self.assert_fails(Feature(), process=process,
                                        check_database=False)
            for words in ('status_overlay: Valid values are [full, off]',
                          'lock_concurrency: ', 'lock_resource_timeout: ',
                          'webhook_timeout: nan ',
                          'webhook_secret: the value has a $'):
                self.assertIn(f'[heat_extras] {words}', message)
            self.assertNotIn('s3', message)
            self.assertEqual([], activation.problems(self.conf))

    def test_invalid_values_and_release_are_reported_together(self):
        self.useFixture(fixtures.MockPatchObject(
            activation.heat_version.version_info, 'version_string',
            return_value='28.0.0'))
        self.configure('status_overlay = maybe', 'lifecycle_modes = a:wran')
        message = self.assert_fails(
            Feature(), process=activation.ENGINE, check_database=False)
        for words in ('status_overlay: ', 'lifecycle_modes: ',
                      'Heat 28.0.0 is not supported: expected >=24.1,<28'):
            self.assertIn(words, message)

    def test_unknown_option_is_logged_with_suggestion(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.configure('lock_concurency = 5')
        self.activate(Feature())
        self.assertIn('heat-extras: [heat_extras] lock_concurency: no '
                      'option has this name. Did you mean', log.output)

    def test_features_with_unknown_option_reference_are_rejected(self):
        for process in (activation.ENGINE, activation.API):
            self.configure('features = $nothing')
            self.conf.clear_override('features', 'heat_extras')
            error = self.assertRaises(
                operator_errors.ActivationError, activation.activate,
                self.conf, process)
            self.assertIn('features: the value has a $ before the name of an '
                          'option that does not exist', str(error))

    def configure(self, *lines):
        path = self.useFixture(fixtures.TempDir()).join('heat.conf')
        with open(path, 'w') as target:
            target.write('\n'.join(['[heat_extras]', *lines]))
        self.conf([], default_config_files=[path])

    def test_limits_file_requires_lifecycle_feature(self):
        self.conf.set_override('limits_file', '/x', 'heat_extras')
        self.addCleanup(self.conf.clear_override, 'limits_file',
                        'heat_extras')
        message = self.assert_fails(Feature(), process=activation.ENGINE,
                                    check_database=False)
        self.assertIn('[heat_extras] limits_file: requires the feature '
                      '"lifecycle"', message)
        self.assertEqual(['lifecycle'], self.activate(
            Feature(), process=activation.ENGINE, names=('lifecycle',),
            check_database=False))

    def test_unknown_feature_is_rejected(self):
        self.assertEqual(
            "[heat_extras] features: 'stack_lok' is not valid: expected "
            f'"all" or any of {", ".join(sorted(heat_extras_conf.FEATURES))}',
            self.assert_fails(Feature(), names=('all', 'stack_lok')))

    def test_activate_applies_patches_starts_feature_and_logs(self):
        log = self.useFixture(fixtures.FakeLogger())
        feature = Feature()
        self.activate(feature)
        self.assertEqual('wrapped 1', Target().method(1))
        self.assertEqual(['start api'], feature.calls)
        self.assertIn('enabled in this api: stack_lock (', log.output)

    def test_repeated_activation_changes_nothing(self):
        feature = Feature()
        self.activate(feature)
        self.assertEqual(['stack_lock'], self.activate(feature))
        self.assertEqual('wrapped 1', Target().method(1))
        self.assertEqual(['start api'], feature.calls)

    def test_deactivate_removes_patches_and_stops_feature(self):
        feature = Feature()
        self.activate(feature)
        activation.deactivate()
        self.assertIs(self.before, vars(Target)['method'])
        self.assertEqual(['start api', 'stop api'], feature.calls)

    def test_signature_mismatch_is_rejected(self):
        feature = Feature(MisfitMixin)
        self.assertEqual(
            f'{__name__}:Target.method: (self, value) is not supported: '
            f'expected (self, other). {activation.REMEDY}',
            self.assert_fails(feature))
        self.assertEqual([], feature.calls)

    def test_private_name_mismatch_is_rejected(self):
        self.useFixture(fixtures.MockPatchObject(
            stack.Stack, '_resource_from_db_resource',
            lambda self, row: None))
        feature = Feature()
        options = {'process': activation.ENGINE, 'check_database': False}
        self.assertEqual(
            'heat.engine.stack:Stack._resource_from_db_resource: (self, row) '
            'is not supported: expected (self, db_res, stk_def_cache=None). '
            f'{activation.REMEDY}', self.assert_fails(feature, **options))
        self.assertEqual([], feature.calls)
        # Private names that only disabled features use are not checked.
        self.activate(feature, names=('health',), **options)

    def test_failed_start_removes_patches_and_stops_feature(self):
        feature = Feature(fails=True)
        self.assertRaises(ValueError, self.activate, feature)
        self.assertIs(self.before, vars(Target)['method'])
        self.assertEqual(['start api', 'stop api'], feature.calls)

    def test_failed_start_keeps_earlier_feature_enabled(self):
        for process in (activation.API, activation.ENGINE):
            earlier = Feature()
            self.activate(earlier, process=activation.ENGINE,
                          check_database=False)
            later = Feature(fails=True)
            self.assertRaises(ValueError, self.activate, later, earlier,
                              process=process, check_database=False)
            self.assertEqual('wrapped 1', Target().method(1))
            self.assertEqual([(earlier, activation.ENGINE)], features.ACTIVE)
            self.assertEqual(['start engine'], [
                each for each in earlier.calls if 'engine' in each])
            activation.deactivate()
            self.assertIs(self.before, vars(Target)['method'])


class FailedStartTest(ActivationTestCase):
    """The features of Heat's classes, whose errors all processes rebuild."""

    def test_engine_keeps_its_errors_if_api_fails(self):
        activation._load.side_effect = lambda names: [
            features.FEATURES[name] for name in names]
        self.activate_real('stack_lock', activation.ENGINE)
        with fixtures.MockPatchObject(features.Feature, 'load_errors',
                                      side_effect=ValueError('no errors')):
            self.assertRaises(ValueError, self.activate_real, 'stack_lock',
                              activation.API)
        self.assertEqual('StackLocked', heat_exception.StackLocked.__name__)

    def activate_real(self, name, process):
        self.conf.set_override('features', [name], 'heat_extras')
        activation.activate(self.conf, process, check_database=False)


class HeatVersionTest(ActivationTestCase):
    def be(self, version):
        self.useFixture(fixtures.MockPatchObject(
            activation.heat_version.version_info, 'version_string',
            return_value=version))

    def test_supported_releases_are_accepted(self):
        for version in ('24.1.0', '24.1.2.dev5', '25.0.0', '26.0.0.0rc1',
                        '27.0.1'):
            self.be(version)
            self.assertEqual(['stack_lock'], self.activate(Feature()))

    def test_unsupported_releases_are_rejected(self):
        for version in ('24.0.0', '28.0.0', '28.0.1.dev3'):
            self.be(version)
            message = self.assert_fails(Feature())
            self.assertIn(f'Heat {version} is not supported: expected '
                          '>=24.1,<28.', message)


class DatabaseTest(ActivationTestCase):
    """The engine checks the database before it activates features."""

    def setUp(self):
        super().setUp()
        self.map = self.useFixture(fixtures.MockPatchObject(
            stack_columns, 'map_stack_columns')).mock

    def use(self, url):
        self.conf.register_opts([
            cfg.StrOpt('connection', default=url),
            cfg.IntOpt('max_retries', default=0),
            cfg.IntOpt('retry_interval', default=1)], group='database')

    def engine(self, **options):
        return self.activate(Feature(), process=activation.ENGINE, **options)

    def test_columns_are_mapped_if_present(self):
        self.use(self.useFixture(base.HeatDatabase(extended=True)).url)
        self.assertEqual(['stack_lock'], self.engine())
        self.map.assert_called_once_with()

    def test_missing_columns_are_rejected(self):
        self.use(self.useFixture(base.HeatDatabase()).url)
        message = self.assert_fails(Feature(), process=activation.ENGINE)
        self.assertRegex(
            message, "^Columns or tables of heat-extras are missing in Heat's "
            r'database: stack\.lock_level and \d+ more\. Run '
            '"heat-extras-manage db_sync"$')
        self.map.assert_not_called()

    def test_missing_database_url_is_rejected(self):
        self.use(None)
        self.assertIn('[database] connection is not set: expected the URL',
                      self.assert_fails(Feature(),
                                        process=activation.ENGINE))

    def test_unreachable_database_is_rejected(self):
        self.use('sqlite:////nowhere/heat.sqlite')
        message = self.assert_fails(Feature(), process=activation.ENGINE)
        self.assertEqual(
            "[database] connection: Heat's database cannot be used: "
            'OperationalError: unable to open database file', message)
