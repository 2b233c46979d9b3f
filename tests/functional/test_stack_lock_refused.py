# SPDX-License-Identifier: Apache-2.0

"""Tests of the status overlay after operations that are rejected early."""

from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import templates
from tests.functional import test_stack_lock

KEPT = {
    'heat_template_version': '2018-08-31',
    'parameters': templates.SMALL['parameters'],
    'resources': {
        'kept': {'type': 'OS::Heat::TestResource',
                 'update_policy': {'allow': {'update': False}},
                 'properties': {'value': {'get_param': 'value'}}}}}


class RejectedOperationTest(test_stack_lock.StackLockTestCase,
                            lifecycle_base.TestCase):
    settings = '[heat_extras]\nstatus_overlay = full\n'
    template = KEPT

    def setUp(self):
        super().setUp()
        self.assert_status(200, self.lock(level='stacks'))
        self.assert_status(200, self.unlock())

    def test_policy_rejection_is_shown_after_unlock(self):
        self.assert_status(202, self.update())
        stack = self.wait(self.path, 'UPDATE_FAILED')
        self.assertIn('nothing was changed', stack['stack_status_reason'])
        self.assertNotIn('prior_stack_status', stack)

    def test_plugin_denial_is_shown_after_unlock(self):
        for action in ('check', 'suspend', 'snapshot', 'update', 'delete'):
            with self.subTest(action=action):
                self._assert_denial_shows(action)

    def _assert_denial_shows(self, action):
        self.lock(level='stacks')
        self.assert_status(200, self.unlock())
        order = self.order('deny', 'test_b', action.upper())
        self._begin(action)
        stack = self.wait(self.path, f'{action.upper()}_FAILED')
        self.assertIn('denied by lifecycle plugin',
                      stack['stack_status_reason'])
        order.write_text('')

    def _begin(self, action):
        if action == 'update':
            return self.client.put(self.path, {'template': self.template})
        if action == 'delete':
            return self.client.delete(self.path)
        if action == 'snapshot':
            return self.client.post(self.path + '/snapshots', {})
        return self.action(action)

    def test_export_does_not_hide_unlock(self):
        self.assert_status(200, self.client.get(self.path + '/export'))
        # Heat 24 and 25 end it in a thread.
        self.assert_status(200, self.client.get(self.path + '/export'))
        stack = self.client.show_stack(self.path)
        self.assertEqual(('UNLOCK_COMPLETE', 'CREATE_COMPLETE'),
                         (stack['stack_status'],
                          stack['prior_stack_status']))


class LegacyRejectedOperationTest(RejectedOperationTest):
    settings = RejectedOperationTest.settings + base.LEGACY
