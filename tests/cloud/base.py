# SPDX-License-Identifier: Apache-2.0

"""Base of the tests on a real cloud."""

import testtools

from tests.harness import class_fixtures
from tests.harness.cloud import cloud
from tests.harness import logs
from tests.harness import waiting

WAIT_SECONDS = 300
DELETED = ['DELETE_COMPLETE']
# Attached to failed tests. The logs of other services would be too long.
_LOGS = ('engine-1', 'engine-2', 'heat-api', 'heat-api-cfn')


class CloudTestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """The tests of all classes use one cloud, with stacks of their own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cloud = cloud.shared()

    def setUp(self):
        super().setUp()
        for name in _LOGS:
            self.addDetail(f'{name}.log', logs.file_content(
                self.cloud.logs()[name]))
        self._clients = {}

    def client(self, name):
        """Return the client of a user, who logs in once."""
        if name not in self._clients:
            self._clients[name] = self.cloud.client(name)
            self.addCleanup(self._clients[name].connection.close)
        return self._clients[name]

    @property
    def alice(self):
        return self.client('alice')

    def create_stack(self, template, client=None, **body):
        """Create a stack that is deleted after the test.

        :returns: its path, like ``/stacks/NAME/ID``
        """
        client = client or self.alice
        name = 'cloud-' + self.id().rpartition('.')[2][5:50]
        path = client.create_stack(name, template, **body)
        self.addCleanup(self._remove, client, path)
        return path

    def wait_for(self, description, find, is_right=bool):
        """Wait until the value found is right, and return it."""
        return waiting.until(description, find, is_right, WAIT_SECONDS)

    def assert_status(self, wanted, answer):
        self.assertEqual(wanted, answer.status_code, answer.text)
        return answer

    def assert_refused(self, answer):
        """Expect the rejection of a locked stack; return its text."""
        self.assert_status(409, answer)
        fault = answer.json()['error']
        self.assertEqual('StackLocked', fault['type'])
        return fault['message']

    def act(self, path, name, fields=None, client=None):
        """Send an action to a stack."""
        return (client or self.alice).post(path + '/actions', {name: fields})

    def _remove(self, client, path):
        """Unlock a stack as administrator, and delete it."""
        self.act(path, 'unlock', client=self.client('ops'))
        self.wait_for(
            'the end of the unlock',
            lambda: client.lock_status(path),
            lambda status: status != 'UNLOCK_IN_PROGRESS')
        if client.delete(path).status_code == 204:
            client.wait_for_stack(path, DELETED)
