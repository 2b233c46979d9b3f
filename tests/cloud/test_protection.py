# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Level ``all`` on real services."""

import time

from tests.cloud import base
from tests.cloud import files
from tests.cloud import templates


class ProtectionTest(base.CloudTestCase):
    """Servers, images and roles, protected and released with their stack."""

    def lock(self, path, client=None, status='LOCK_COMPLETE', **fields):
        self.assert_status(200, self.act(
            path, 'lock', {'level': 'all', 'reason': 'db move', **fields},
            client))
        return self.settled(path, status)

    def unlock(self, path, client=None, status='UNLOCK_COMPLETE'):
        self.assert_status(200, self.act(path, 'unlock', client=client))
        return self.settled(path, status)

    def settled(self, path, status):
        """Wait until a lock or unlock has ended, as expected."""
        for _ in range(300):
            stack = self.alice.show_stack(path)
            if not stack['stack_status'].endswith('_IN_PROGRESS'):
                break
            time.sleep(0.5)
        self.assertEqual(status, stack['stack_status'],
                         stack['stack_status_reason'])
        return stack

    def resource(self, path, name, client=None):
        return (client or self.alice).get(
            f'{path}/resources/{name}').json()['resource']

    def protection(self, path, name):
        return self.resource(path, name)['lock_protection']

    def test_a_locked_server_refuses_its_owner(self):
        path = self.create_stack(templates.stack(server=templates.SERVER))
        server = self.resource(path, 'server')['physical_resource_id']
        self.lock(path)
        self.assertEqual('protected', self.protection(path, 'server'))
        for command in (('stop',), ('delete',)):
            done = self.alice.openstack('server', *command, server)
            self.assertNotEqual(0, done.returncode, done.stdout)
            self.assertIn('409', done.stderr)
        self.unlock(path, self.client('bob'))
        done = self.alice.openstack('server', 'stop', server)
        self.assertEqual(0, done.returncode, done.stderr)

    def test_a_server_that_was_locked_before_stays_locked(self):
        path = self.create_stack(templates.stack(server=templates.SERVER))
        server = self.resource(path, 'server')['physical_resource_id']
        self.assertEqual(0, self.alice.openstack(
            'server', 'lock', server).returncode)
        self.lock(path)
        self.assertEqual('found_protected', self.protection(path, 'server'))
        self.unlock(path)
        done = self.alice.openstack('server', 'stop', server)
        self.assertIn('409', done.stderr)
        self.alice.openstack('server', 'unlock', server)

    def test_a_protected_image_refuses_deletion(self):
        source = files.FileServer()
        self.useFixture(source)
        path = self.create_stack(templates.stack(
            image=templates.image(source.url)))
        image = self.resource(path, 'image')['physical_resource_id']
        self.lock(path)
        self.assertEqual('protected', self.protection(path, 'image'))
        done = self.alice.openstack('image', 'delete', image)
        self.assertNotEqual(0, done.returncode, done.stdout)
        self.unlock(path)
        self.assertEqual(0, self.alice.openstack(
            'image', 'delete', image).returncode)
