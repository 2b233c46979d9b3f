# SPDX-License-Identifier: Apache-2.0

"""Tests of calls to lifecycle plugins without an operation."""

from unittest import mock

import testtools

from heat_extras import guard
from heat_extras.lifecycle import dry_run
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras.plan import stack_plan
from heat_extras.plan import tree_plan


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
    nested = ()

    def list_stops(self, instance, **settings):
        plugin = registry.Plugin('p', instance, **settings)
        with mock.patch.object(registry, '_loaded', [plugin]), \
                mock.patch.object(stack_plan, 'plan_update'), \
                mock.patch.object(tree_plan, 'list_actions',
                                  return_value=self.nested):
            return dry_run.list_stops(
                mock.Mock(spec=[]), guard.PlannedUpdate('now', 'new', []))

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

    def test_unknown_nested_stack_is_stop_during_update(self):
        self.nested = [tree_plan.NestedAction(
            ('group', '0'), 'CREATE', 'member', is_certain=False)]
        denying = _Dry()
        denying.error = plugin_api.Denied('too big')
        of_root, of_member = self.list_stops(denying)
        self.assertEqual((None, True), (of_root.path, of_root.is_certain))
        self.assertEqual(
            ('group/0', False, False),
            (of_member.path, of_member.is_certain, of_member.is_before_start))
        self.assertEqual('CREATE of nested stack group/0 denied by lifecycle '
                         'plugin p: too big', of_member.message)

    def test_plugin_with_error_is_not_asked_again(self):
        self.nested = [tree_plan.NestedAction(
            ('group', '0'), 'UPDATE', 'member', 'new')]
        failing = _Dry()
        failing.error = plugin_api.Unavailable('away')
        stop, = self.list_stops(failing)
        self.assertIsNone(stop.path)

    def test_plugin_that_is_asked_only_about_nested_stacks(self):
        self.nested = [tree_plan.NestedAction(
            ('group', '0'), 'DELETE', 'member')]
        stop, = self.list_stops(_Plugin(), judged=frozenset(['DELETE']))
        self.assertEqual('LifecyclePluginNotAsked', stop.type)
