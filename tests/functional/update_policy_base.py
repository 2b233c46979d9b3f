# SPDX-License-Identifier: Apache-2.0

"""Base of the functional tests of ``update_policy.allow``."""

from tests.functional import base
from tests.harness import waiting

FEATURE = '[heat_extras]\nfeatures = update_policy\n'
LEGACY = FEATURE + base.LEGACY

_SETTLED = tuple(f'{action}_{status}' for action in (
    'UPDATE', 'RESTORE', 'ROLLBACK') for status in ('COMPLETE', 'FAILED'))


class UpdatePolicyTestCase(base.TestCase):

    settings = FEATURE

    def create(self, name, template, **body):
        path = self.client.create_stack(name, template, **body)
        self.addCleanup(self.client.delete, path)
        return path

    def update(self, path, template, status='UPDATE_COMPLETE', **body):
        """Update a stack and return the reason of its status."""
        before = self.client.show_stack(path)['stack_status']
        # The legacy engine releases the stack after it has reported the end
        # of an operation.
        answer = waiting.until(
            'the operation before', lambda: self.client.put(
                path, dict(body, template=template)),
            lambda response: 'ActionInProgress' not in response.text)
        self.assertEqual(202, answer.status_code, answer.text)
        return self.settle(path, status, before)

    def settle(self, path, status, before=None):
        statuses = _SETTLED if status.endswith('_FAILED') else [status]
        # A stack is UPDATE_FAILED for a moment before its rollback begins.
        moment = 'UPDATE_FAILED' if status == 'ROLLBACK_COMPLETE' else before
        stack = self.client.wait_for_stack(path, statuses, failed=moment)
        self.assertEqual(status, stack['stack_status'],
                         stack['stack_status_reason'])
        return stack['stack_status_reason']

    def resources(self, path):
        """Return the resources of the stack tree, to find changes."""
        listed = self.client.get(path + '/resources?nested_depth=4').json()
        return sorted((resource['resource_name'], resource[
            'physical_resource_id'], resource['resource_status'], resource[
                'updated_time']) for resource in listed['resources'])

    def resource(self, path, name):
        return self.client.get(f'{path}/resources/{name}').json()['resource']

    def assert_refused(self, path, template, *words, **body):
        """Assert that an update fails and changes nothing."""
        before = self.resources(path)
        stored = self.client.get(path + '/template').json()
        reason = self.update(path, template, 'UPDATE_FAILED', **body)
        self.assertEqual(before, self.resources(path))
        self.assertEqual(stored, self.client.get(path + '/template').json())
        for word in ('nothing was changed', *words):
            self.assertIn(word, reason)
        return reason

    def restricted(self, path, template, **body):
        """Preview an update and return the reasons of its restrictions."""
        answer = self.client.put(path + '/preview',
                                 dict(body, template=template))
        self.assertEqual(200, answer.status_code, answer.text)
        return [entry['restricted_reason']
                for entry in answer.json()['resource_changes']['restricted']]
