# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
from unittest import mock

from oslo_serialization import jsonutils

from heat_extras.cmd import manage
from heat_extras.lifecycle import registry
from tests.unit.cmd import base


class Early:
    def get_ordinal(self):
        return 1


class Late(Early):
    def get_ordinal(self):
        return 2

    def get_actions(self):
        return ('CREATE', 'UPDATE')

    def do_pre_op(self, *arguments):
        """Allow every action."""


class Off(Early):
    def is_enabled(self):
        return False


class PluginsTest(base.CommandTestCase):

    prog = manage.PROG
    main = staticmethod(manage.main)

    def setUp(self):
        super().setUp()
        self.points = []
        patched = mock.patch.object(registry.metadata, 'entry_points',
                                    return_value=self.points)
        patched.start()
        self.addCleanup(patched.stop)

    def install(self, name, kind):
        point = metadata.EntryPoint(name, f'{__name__}:{kind}',
                                    registry.NAMESPACE)
        vars(point).update(dist=None)
        self.points.append(point)

    def rows(self, more=''):
        return jsonutils.loads(self.run_command(
            'plugins', '--format', 'json', more=more))

    def test_plugins_are_listed_in_order_with_settings(self):
        for name in ('Late', 'Early', 'Off'):
            self.install(name.lower(), name)
        rows = self.rows('[heat_extras]\nlifecycle_modes = late:warn\n'
                         'lifecycle_timeouts = late:5\n')
        self.assertEqual(
            [(1, 'early', 'called'), (None, 'off', 'off'),
             (2, 'late', 'called')],
            [(row['order'], row['name'], row['status']) for row in rows])
        self.assertEqual((2, 'warn', 5, 'deny'), tuple(
            rows[2][name] for name in ('ordinal', 'mode', 'timeout',
                                       'on_error')))

    def test_invalid_settings_are_reported(self):
        self.install('late', 'Late')
        error = self.assertRaises(
            SystemExit, self.run_command, 'plugins', more=(
                '[heat_extras]\nlifecycle_modes = late:wran\n'
                'lifecycle_timeout = 1m\n'))
        for line, words in zip(sorted(error.code.splitlines()), (
                'lifecycle_modes: Valid values are [fail, warn], but',
                'lifecycle_timeout: invalid literal for int()'), strict=True):
            self.assertIn(words, line)

    def test_plugins_are_listed_with_their_actions(self):
        for name in ('Late', 'Early'):
            self.install(name.lower(), name)
        for more, wanted in (('', 'CREATE, UPDATE'),
                             ('late:UPDATE|DELETE', 'UPDATE')):
            rows = self.rows('[heat_extras]\nlifecycle_actions = '
                             f'{more}\n' if more else '')
            self.assertEqual(['none', wanted],
                             [row['asked_before'] for row in rows])

    def test_plugin_that_does_not_load_fails_command(self):
        self.install('bad', 'Absent')
        error = self.assertRaises(SystemExit, self.rows)
        self.assertEqual(1, error.code)
