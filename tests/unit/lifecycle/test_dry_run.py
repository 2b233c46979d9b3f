# SPDX-License-Identifier: Apache-2.0

"""Tests of calls to lifecycle plugins without an operation."""

from unittest import mock

import testtools

from heat_extras.lifecycle import dry_run
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras.update_plan import plan_stop


class _Plugin:
    error = None

    def do_pre_op(self, *arguments):
        raise AssertionError('a dry run leaves no trace')


class _Dry(_Plugin):

    def do_dry_run(self, cnxt, stack, current_stack, action):
        self.seen = stack, current_stack, action
        if self.error:
            raise self.error


class DryRunTest(testtools.TestCase):

    def list_stops(self, instance, **settings):
        plugin = registry.Plugin('p', instance, **settings)
        with mock.patch.object(registry, '_loaded', [plugin]):
            return dry_run.list_stops(
                mock.Mock(spec=[]), plan_stop.PlannedUpdate('now', 'new', []))

    def test_plugin_without_dry_run_is_reported(self):
        stop, = self.list_stops(_Plugin())
        self.assertEqual('LifecyclePluginNotAsked', stop.type)
        self.assertFalse(stop.is_certain)
        self.assertIn('plugin p was not asked', stop.message)

    def test_plugin_is_called_with_planned_update(self):
        asked = _Dry()
        self.assertEqual([], self.list_stops(asked))
        self.assertEqual(('now', 'new', 'UPDATE'), asked.seen)

    def test_denial_is_certain_stop(self):
        denying = _Dry()
        denying.error = plugin_api.Denied('too big')
        stop, = self.list_stops(denying)
        self.assertEqual(('LifecyclePluginDenied', True),
                         (stop.type, stop.is_certain))
        self.assertEqual('UPDATE denied by lifecycle plugin p: too big',
                         stop.message)

    def test_error_is_uncertain_stop(self):
        failing = _Dry()
        failing.error = plugin_api.Unavailable('away')
        stop, = self.list_stops(failing)
        self.assertFalse(stop.is_certain)
        self.assertEqual([], self.list_stops(failing,
                                             on_error=options.ALLOW))

    def test_plugins_that_cannot_deny_update_are_omitted(self):
        for settings in ({'mode': options.WARN},
                         {'judged': frozenset(['DELETE'])},
                         {'actions': frozenset(['DELETE'])}):
            self.assertEqual([], self.list_stops(_Plugin(), **settings))
