# SPDX-License-Identifier: Apache-2.0
"""Base of the tests of updates."""

from tests.cloud import protection
from tests.harness.cloud import nova

_SETTINGS = {'ram': 64, 'vcpus': 1, 'disk': 1}
_WHAT_WORK_CHANGES = ('resource_name', 'physical_resource_id',
                      'resource_status', 'updated_time')


class UpdateTestCase(protection.ProtectionTestCase):
    def update(self, path, template, status='UPDATE_COMPLETE', **body):
        """Update a stack and wait; returns its body."""
        self.assert_status(202, self.alice.put(
            path, {**body, 'template': template}))
        return self.settled(path, status)

    def assert_update_refused(self, path, template, *words, **body):
        """Expect that an update is rejected and changes nothing."""
        before = self.work_done(path)
        stored = self.alice.get(path + '/template').json()
        reason = self.update(path, template, 'UPDATE_FAILED',
                             **body)['stack_status_reason']
        for word in ('nothing was changed', *words):
            self.assertIn(word, reason)
        self.assertEqual(before, self.work_done(path))
        self.assertEqual(stored, self.alice.get(path + '/template').json())

    def work_done(self, path):
        """Return everything in which an update would leave traces.

        These are the rows of all resources, and all actions on their servers.
        """
        listed = self.alice.get(
            path + '/resources?nested_depth=5').json()['resources']
        return sorted(
            [*(resource[key] for key in _WHAT_WORK_CHANGES),
             self.server_history(resource['physical_resource_id'])
             if resource['resource_type'] == 'OS::Nova::Server' else None]
            for resource in listed)

    def server_history(self, server_id):
        """Return the actions on a server, newest first."""
        answer = self.alice.call(
            'compute', 'GET', f'/servers/{server_id}/os-instance-actions',
            '2.73')
        self.assert_status(200, answer)
        return [action['action']
                for action in answer.json()['instanceActions']]

    def assert_gone(self, server_id):
        """Wait until a server is deleted."""
        self.wait_for('the end of a server', lambda: self.alice.call(
            'compute', 'GET', f'/servers/{server_id}').status_code,
            lambda status: status == 404)

    def make_image(self):
        """Make an image of alice; returns its ID."""
        images = self.alice.connection.image
        image = images.create_image(
            self.id().rpartition('.')[2], data=bytes(2048),
            disk_format='raw', container_format='bare')
        self.addCleanup(images.delete_image, image.id)
        return image.id

    def make_flavor(self):
        """Make another flavor of the same size; returns its name."""
        flavors = self.client('ops').connection.compute
        flavor = flavors.create_flavor(
            name=f'{nova.FLAVOR}-{self.id().rpartition(".")[2]}', **_SETTINGS)
        self.addCleanup(flavors.delete_flavor, flavor.id)
        return flavor.name
