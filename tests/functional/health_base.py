# SPDX-License-Identifier: Apache-2.0

"""Base of the functional tests of health."""

from tests.functional import base


class HealthTestCase(base.TestCase):
    """Test case with a separate stack for each test."""

    template = None
    files = None
    parameters = {}

    def setUp(self):
        super().setUp()
        self.name = 'h-' + self.id().rpartition('.')[2][5:50].replace(
            '_', '-')
        self.path = self.client.create_stack(
            self.name, self.template, files=self.files,
            parameters=self.parameters)
        self.addCleanup(self.client.delete, self.path)

    def mark(self, name, mark=True, reason='broken', path=None, query=''):
        return self.client.patch(
            f'{path or self.path}/resources/{name}{query}',
            {'mark_unhealthy': mark, 'resource_status_reason': reason})

    def resource(self, name, path=None):
        return self.client.get(
            f'{path or self.path}/resources/{name}').json()['resource']

    def state(self, name, path=None):
        return self.resource(name, path)['resource_status']

    def resources(self, path):
        """Map the names of the resources of a stack to physical IDs."""
        answer = self.client.get(path + '/resources').json()['resources']
        return {each['resource_name']: each['physical_resource_id']
                for each in answer}

    def events(self, path=None):
        return self.client.get(
            (path or self.path) + '/events').json()['events']

    def nested(self, name, path=None):
        """Return the path of the stack nested in a resource."""
        links = self.resource(name, path)['links']
        href, = [link['href'] for link in links if link['rel'] == 'nested']
        return '/stacks/' + href.partition('/stacks/')[2]

    def update(self, status='UPDATE_COMPLETE', path=None, **body):
        """Update with the same template, and wait until *status*."""
        answer = self.client.put(path or self.path, {
            'template': self.template, 'files': self.files,
            'parameters': self.parameters, **body})
        self.assert_status(202, answer)
        return self.wait(status, path)

    def act(self, action, status):
        self.assert_status(200, self.client.post(
            self.path + '/actions', {action: None}))
        return self.wait(status)

    def wait(self, status, path=None):
        """Wait for the end of an action, and assert its *status*.

        The status before the action can also be a failure.
        """
        final = [status, status.partition('_')[0] + '_FAILED']
        stack = self.client.wait_for_status(path or self.path, *final)
        self.assertEqual(status, stack['stack_status'],
                         stack['stack_status_reason'])
        return stack

    def wait_for_resource(self, name, status):
        self.client.wait_for_resource(self.path, name, status)

    def assert_status(self, wanted, answer):
        self.assertEqual(wanted, answer.status_code, answer.text)
        return answer
