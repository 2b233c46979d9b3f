# SPDX-License-Identifier: Apache-2.0

"""Tests of updates with a lock pass that a policy or plugin rejects."""

import copy

from tests.functional import lifecycle_base
from tests.functional import lock_pass_base

_ON = lock_pass_base.PassTestCase.settings
GUARDED = copy.deepcopy(lock_pass_base.TEMPLATE)
GUARDED['resources']['test']['update_policy'] = {'allow': {'update': False}}


class PolicyTest(lock_pass_base.PassTestCase):
    template = GUARDED
    settings = _ON + '[heat_extras]\nfeatures = stack_lock, update_policy\n'

    def test_stack_is_locked_after_policy_rejects_update(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_FAILED')
        stack = self.client.show_stack(self.path)
        self.assertIn('update_policy', stack['stack_status_reason'])
        self.assertEqual('one', stack['parameters']['value'])
        self.assertIsNone(stack['lock_pass'])
        self.assert_refused(self.change(self.bob))


class LegacyPolicyTest(PolicyTest):
    settings = _ON + 'convergence_engine = false\n' + (
        '[heat_extras]\nfeatures = stack_lock, update_policy\n')


class PluginTest(lifecycle_base.TestCase, lock_pass_base.PassTestCase):
    """Includes a failed stack, whose traversal is changed first."""

    settings = _ON + '[heat_extras]\nfeatures = stack_lock, lifecycle\n'

    def test_stack_is_locked_after_plugin_denies_update(self):
        denied = self.plugins.order('deny', 'test_b', 'UPDATE', 'no')
        for _ in range(2):
            self.assert_status(200, self.grant())
            self.assert_status(202, self.change(self.bob))
            self.wait_until_closed()
            stack = self.client.show_stack(self.path)
            self.assertEqual('UPDATE_FAILED', stack['stack_status'])
            self.assertIn('denied by lifecycle plugin test_b',
                          stack['stack_status_reason'])
            self.assert_refused(self.change(self.bob))
        denied.unlink()
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.wait_until_closed()

    def test_plugins_are_called_only_for_update(self):
        before = [call for call in self.calls(self.name)]
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_COMPLETE')
        self.assertEqual([], [
            call for call in self.calls(self.name)[len(before):]
            if ' UPDATE ' not in call])


class LegacyPluginTest(PluginTest):
    settings = _ON + 'convergence_engine = false\n' + (
        '[heat_extras]\nfeatures = stack_lock, lifecycle\n')
