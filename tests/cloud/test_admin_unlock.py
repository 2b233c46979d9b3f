# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage unlock`` when the project of a stack is gone."""

import os

from testtools import content

from tests.cloud import protection
from tests.cloud import templates
from tests.harness.cloud import client as cloud_client
from tests.harness.cloud import keystone
from tests.harness.cloud import users
from tests.harness import command


class AdminUnlockTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        self.root = self.client('root')
        self.carol = self.move_in(users.Person('carol', 'member', 'leaving'))
        self.path = self.carol.create_stack('orphan', templates.stack(
            server=templates.SERVER, share=templates.SHARE))
        self.assert_status(200, self.act(self.path, 'lock', {'level': 'all'},
                                         self.carol))
        self.carol.wait_for_lock(self.path, 'LOCK_COMPLETE')
        self.server_id, self.share_id = (
            self.carol.get(f'{self.path}/resources/{name}').json()[
                'resource']['physical_resource_id']
            for name in ('server', 'share'))

    def move_in(self, person):
        keystone.make_person(self.root.connection.identity, person)
        moved_in = cloud_client.Client(self.cloud, person)
        self.addCleanup(moved_in.connection.close)
        return moved_in

    def unlock_by_hand(self, *words):
        done = command.run(
            [command.program('heat-extras-manage'), '--config-file',
             self.cloud.heat.file, 'unlock', *words,
             self.path.rpartition('/')[2]],
            environment={**os.environ,
                         'OS_CLIENT_CONFIG_FILE': self.cloud.clouds_file})
        self.addDetail('unlock', content.text_content(
            done.stdout + done.stderr))
        return done

    def found(self):
        """Return whether the server and the share are locked."""
        held = self.root.call(
            'sharev2', 'GET', '/resource-locks?all_projects=true', '2.81')
        return (self.server(self.server_id, self.root)['locked'],
                self.share_id in {each['resource_id'] for each
                                  in held.json()['resource_locks']})

    def test_os_cloud_releases_resources_of_deleted_project(self):
        self.assertEqual((True, True), self.found())
        self.root.connection.identity.delete_project(self.carol.project_id)
        refused = self.unlock_by_hand()
        self.assertEqual(1, refused.returncode)
        self.assertIn('is still locked, because', refused.stderr)
        self.assertIn('--os-cloud', refused.stderr)
        self.assertIn(self.server_id, refused.stdout)
        self.assertEqual((True, True), self.found())
        done = self.unlock_by_hand('--os-cloud', 'root')
        self.assertEqual(0, done.returncode)
        self.assertIn('unlocked', done.stdout)
        self.assertEqual((False, False), self.found())
