# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
from unittest import mock

import fixtures
from oslo_config import cfg
import testtools

from heat_extras import conf
from heat_extras import config_validation
from heat_extras import entry_points
from heat_extras.lifecycle import registry
from heat_extras import operator_errors


class Plain:
    ordinal = 100

    def get_ordinal(self):
        return self.ordinal


class Early(Plain):
    ordinal = 1


class Off(Plain):
    def is_enabled(self):
        return False


class Judges(Plain):
    def get_actions(self):
        return ['CREATE', 'UPDATE']


class Dances(Plain):
    def get_actions(self):
        return 'DANCE'


class Broken(Plain):
    def __init__(self):
        raise ValueError('no licence')


class Exits(Plain):
    def __init__(self):
        raise SystemExit(3)


class ExitsInOrder(Plain):
    def get_ordinal(self):
        raise GeneratorExit()


class Nowhere(Plain):
    ordinal = float('nan')


class Mistaken(Plain):
    def is_enabled(self):
        raise operator_errors.ActivationError('first', 'second')


class Light(Plain):
    def is_enabled(self):
        raise ModuleNotFoundError(name='jsonschema')


class ExitsWhenAsked(Plain):
    def is_enabled(self):
        raise SystemExit(0)


class RegistryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.conf = cfg.ConfigOpts()
        self.conf([], default_config_files=[])
        conf.register_opts(self.conf)
        self.addCleanup(registry.discard_prepared)
        self.addCleanup(registry.unload_plugins)

    def install(self, **classes):
        points = [metadata.EntryPoint(
            name, f'{__name__}:{kind}' if kind else 'absent.module:X',
            registry.NAMESPACE) for name, kind in classes.items()]
        points.append(metadata.EntryPoint(
            'heat_extras', 'heat_extras.engine_entry_point:EnginePlugin',
            registry.NAMESPACE))
        for point in points:
            vars(point).update(dist=None)
        patched = mock.patch.object(registry.metadata, 'entry_points',
                                    return_value=points)
        patched.start()
        self.addCleanup(patched.stop)

    def set(self, **options):
        for name, value in options.items():
            self.conf.set_override(name, value, 'heat_extras')
            # All conf objects share the group, and therefore the override.
            self.addCleanup(self.conf.clear_override, name, 'heat_extras')

    def names(self):
        registry.load_plugins(self.conf)
        return [plugin.name for plugin in registry.list_plugins()]

    def refusal(self):
        return str(self.assertRaises(operator_errors.ActivationError,
                                     registry.load_plugins, self.conf))

    def test_order_is_by_ordinal_and_then_by_name(self):
        self.install(b='Plain', c='Early', a='Plain')
        self.assertEqual(['c', 'a', 'b'], self.names())

    def test_disabled_plugin_is_not_listed(self):
        self.install(a='Plain', b='Off')
        self.assertEqual(['a'], self.names())

    def test_failed_load_of_plugin_stops_engine(self):
        for kind in ('Broken', None):
            self.install(good='Plain', bad=kind)
            message = self.refusal()
            self.assertIn('cannot be loaded: bad (', message)
            self.assertIn('lifecycle_on_load_failure = warn', message)

    def test_base_exception_or_invalid_value_stops_engine(self):
        for kind, message in (('Exits', 'SystemExit: 3'), ('ExitsInOrder',
                                                           'GeneratorExit: '),
                              ('ExitsWhenAsked', 'SystemExit: 0'), (
                                  'Dances',
                                  "get_actions() returned 'DANCE', which "
                                  'is not valid: expected some of CREATE, '),
                              ('Nowhere', 'returned nan, which is not valid: '
                               'expected a number')):
            self.install(good='Plain', bad=kind)
            self.assertIn(message, self.refusal())
            self.set(lifecycle_on_load_failure='warn')
            self.assertEqual(['good'], self.names())
            self.set(lifecycle_on_load_failure='stop')

    def test_failed_load_of_plugin_is_warning_if_configured(self):
        self.set(lifecycle_on_load_failure='warn')
        self.install(good='Plain', bad='Broken')
        self.assertEqual([], registry.find_errors(self.conf))
        self.assertEqual(
            ['lifecycle plugin is not called, because it cannot be loaded: '
             'bad (tests.unit.lifecycle.test_registry:Broken): ValueError: no '
             'licence'],
            registry.find_warnings(self.conf))
        self.assertEqual(['good'], self.names())
        bad = registry.find_plugins(self.conf)[-1]
        self.assertEqual('ValueError: no licence', bad.error)

    def test_plugin_has_its_settings(self):
        self.set(lifecycle_modes={'a': 'warn'}, lifecycle_timeout=7,
                 lifecycle_timeouts={'a': 9},
                 lifecycle_errors={'b': 'allow'})
        self.install(a='Plain', b='Plain')
        self.names()
        a, b = registry.list_plugins()
        self.assertEqual(('warn', 9, 'deny'), (a.mode, a.timeout, a.on_error))
        self.assertEqual(('fail', 7, 'allow'),
                         (b.mode, b.timeout, b.on_error))

    def test_plugin_has_configured_and_declared_actions(self):
        self.set(lifecycle_actions={'a': 'update | DELETE', 'b': 'LOCK'})
        self.install(a='Judges', b='Plain', c='Judges', d='Plain')
        self.names()
        self.assertEqual(
            [({'UPDATE', 'DELETE'}, {'CREATE', 'UPDATE'}), ({'LOCK'}, None),
             (None, {'CREATE', 'UPDATE'}), (None, None)],
            [(plugin.actions, plugin.judged)
             for plugin in registry.list_plugins()])

    def test_plugin_that_cannot_deny_actions_has_warning(self):
        self.install(a='Judges', b='Judges', c='Plain', d='Judges')
        self.set(lifecycle_actions={'a': 'DELETE | suspend',
                                    'b': 'UPDATE|LOCK', 'c': 'LOCK'})
        self.assertEqual([], registry.find_errors(self.conf))
        wanted = [
            '[heat_extras] lifecycle_actions: a:DELETE|SUSPEND is not valid: '
            'the plugin decides on none of these actions, so it cannot deny '
            'them. Expected one or more of CREATE|UPDATE']
        self.assertEqual(wanted, registry.find_warnings(self.conf))
        self.assertEqual(wanted, config_validation.find_warnings(self.conf))

    def test_settings_of_unknown_plugins_are_rejected(self):
        self.install(a='Plain')
        for name, value in (('lifecycle_modes', 'fail'),
                            ('lifecycle_timeouts', 5),
                            ('lifecycle_errors', 'deny'),
                            ('lifecycle_actions', 'LOCK')):
            self.set(**{name: {'a': value, 'x': value, 'y': value}})
            self.assertEqual(
                f'[heat_extras] {name}: x, y are not valid: expected names '
                'of installed plugins. Installed: a', self.refusal())
            self.set(**{name: {}})

    def test_all_errors_are_reported_together(self):
        self.install(good='Plain', bad='Broken', ours='Mistaken')
        self.set(lifecycle_modes={'x': 'fail'})
        problems = registry.find_errors(self.conf)
        self.assertEqual(4, len(problems), problems)
        self.assertEqual(['first', 'second'], problems[1:3])
        self.assertIn('cannot be loaded: bad (', problems[3])
        self.assertNotIn('ours', problems[3])

    def test_option_error_stops_engine_even_if_load_failure_warns(self):
        self.install(ours='Mistaken')
        self.set(lifecycle_on_load_failure='warn')
        self.assertEqual('first; second', self.refusal())

    def test_missing_extra_stops_engine_even_if_load_failure_warns(self):
        self.install(ours='Light', other='Light')
        entry_point, *_others = registry.metadata.entry_points()
        vars(entry_point).update(
            dist=metadata.distribution(entry_points.DISTRIBUTION))
        self.set(lifecycle_on_load_failure='warn')
        self.assertRegex(
            self.refusal(), '^lifecycle plugin ours: ModuleNotFoundError: '
            r'.*. Install heat-extras\[engine\]\. If it ')

    def test_plugins_are_created_once(self):
        made = self.useFixture(fixtures.MockPatchObject(
            Plain, '__init__', return_value=None)).mock
        self.install(a='Plain')
        self.assertEqual([], registry.find_errors(self.conf))
        self.names()
        self.assertEqual([], registry.find_errors(self.conf))
        made.assert_called_once_with()
