# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

import testtools

from heat_extras.lifecycle import guard
from heat_extras.lifecycle import options
from heat_extras.lifecycle import registry

ASKS = types.SimpleNamespace(do_pre_op=lambda *arguments: None)
LISTENS = types.SimpleNamespace(do_post_op=lambda *arguments: None)
FOUND = types.SimpleNamespace(stack=types.SimpleNamespace(id='root'))


class ListGuardsTest(testtools.TestCase):
    def test_only_plugins_that_can_deny_are_listed(self):
        installed = [registry.Plugin('quota', ASKS),
                     registry.Plugin('warns', ASKS, mode=options.WARN),
                     registry.Plugin('mails', LISTENS)]
        with mock.patch.object(guard.registry, 'list_plugins',
                               return_value=installed):
            listed, = guard.LifecycleGuard().list_guards(None, FOUND)
        self.assertEqual(('plugin', 'root', 'quota'),
                         (listed.kind, listed.stack_id, listed.name))
        self.assertIn('delete', listed.may_stop)
        self.assertNotIn('signal', listed.may_stop)
        self.assertIn('does not state on which actions', listed.reason)

    def test_only_actions_that_plugin_decides_on_are_listed(self):
        installed = [
            registry.Plugin('limits', ASKS, judged=frozenset({
                'CREATE', 'UPDATE', 'RESTORE'})),
            registry.Plugin('hook', ASKS, actions=frozenset({'DELETE'})),
            registry.Plugin('quota', ASKS, judged=frozenset({'CREATE'}))]
        with mock.patch.object(guard.registry, 'list_plugins',
                               return_value=installed):
            limits, hook = guard.LifecycleGuard().list_guards(None, FOUND)
        self.assertEqual(('update', 'replace', 'restore'), limits.may_stop)
        self.assertIn('before each of these', limits.reason)
        self.assertEqual(('delete', 'abandon'), hook.may_stop)
