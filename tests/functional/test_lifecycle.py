# SPDX-License-Identifier: Apache-2.0

"""Tests that plugins are called before and after every action."""

from tests.functional import base
from tests.functional import lifecycle_actions
from tests.functional import lifecycle_denials
from tests.functional import lifecycle_nested
from tests.functional import lifecycle_post_calls
from tests.functional import templates


class ConvergenceTest(lifecycle_actions.Actions, lifecycle_denials.Denials,
                      lifecycle_denials.Failures, lifecycle_post_calls.Cancels,
                      lifecycle_post_calls.Traversals,
                      lifecycle_post_calls.Locks,
                      lifecycle_nested.UnknownValues):
    """All tests share one sandbox, which takes seconds to start."""


class LegacyTest(lifecycle_actions.Actions, lifecycle_denials.Denials,
                 lifecycle_denials.Failures, lifecycle_post_calls.Cancels,
                 lifecycle_nested.DryRuns):
    settings = base.LEGACY


class SettingsTest(lifecycle_post_calls.TestCase):
    settings = """
[DEFAULT]
stack_action_timeout = 6
[heat_extras]
lifecycle_modes = test_a:warn
lifecycle_errors = test_b:allow
lifecycle_timeouts = test_first:3
"""

    def test_create_continues_after_warning_and_allowed_error(self):
        self.order('deny', 'test_a', 'CREATE', 'rather large')
        self.order('error', 'test_b', 'CREATE', 'oops')
        path = self.client.create_stack('warned', templates.SMALL)
        self.assertIn(
            'Warning: CREATE denied by lifecycle plugin test_a: rather '
            'large', [event['resource_status_reason'] for event in
                      self.client.get(path + '/events').json()['events']])
        self.assertEqual(4, len([call for call in self.calls('warned')
                                 if call.startswith('post')]))

    def test_create_fails_if_plugin_times_out(self):
        self.order('slow', 'test_first', 'CREATE', '20')
        path = self.client.create_stack('waited', templates.SMALL,
                                        wait=False)
        other = self.client.create_stack('other', templates.SMALL,
                                         wait=False)
        stack = self.client.wait_for_stack(path, ['CREATE_FAILED'])
        self.assertIn('test_first failed before CREATE: no answer within 3 s. '
                      'Nothing was created.', stack['stack_status_reason'])
        self.client.wait_for_stack(other, ['CREATE_FAILED'])

    def test_post_call_reports_stack_timeout(self):
        self.start('late')
        self.assertEqual([True], self.wait_for_end('late', 'UPDATE'))
