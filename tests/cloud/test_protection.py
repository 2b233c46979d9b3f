# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` on real services: servers and images."""

import json

from testtools import content

from tests.cloud import protection
from tests.cloud import templates
from tests.harness.cloud import nova
from tests.harness import command
from tests.harness import file_service


class ServerTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.create_stack(
            templates.stack(server=templates.SERVER))
        self.id_ = self.physical_id(self.path, 'server')

    def test_locked_server_rejects_stop_delete_and_resize_by_owner(self):
        self.lock(self.path)
        self.assertEqual('protected', self.protection(self.path, 'server'))
        for words in (('stop', self.id_), ('delete', self.id_),
                      ('resize', '--flavor', nova.FLAVOR, self.id_)):
            done = self.alice.openstack('server', *words)
            self.assertNotEqual(0, done.returncode, done.stdout)
            self.assertIn('409', done.stderr)
        self.unlock(self.path, self.client('bob'))
        done = self.alice.openstack('server', 'stop', self.id_)
        self.assertEqual(0, done.returncode, done.stderr)

    def test_locked_reason_of_server_names_stack_and_reason(self):
        self.lock(self.path)
        name = self.path.split('/')[2]
        self.assertEqual(f'locked with Heat stack {name}: db move',
                         self.server(self.id_)['locked_reason'])
        self.unlock(self.path)
        self.lock(self.path, reason='x' * 255)
        self.assertEqual(255, len(self.server(self.id_)['locked_reason']))

    def test_server_locked_before_stack_lock_stays_locked(self):
        self.assertEqual(202, self.server_action(
            self.id_, 'lock', {'locked_reason': 'mine'}))
        self.lock(self.path)
        shown = self.resource(self.path, 'server')
        self.assertEqual('found_protected', shown['lock_protection'])
        user_id = self.alice.connection.current_user_id
        self.assertEqual(f'the server is locked by user {user_id}: mine',
                         shown['lock_protection_reason'])
        self.assertEqual((0, 'found_protected'), self._verified())
        self.unlock(self.path)
        self.assertTrue(self.server(self.id_)['locked'])
        self.server_action(self.id_, 'unlock')

    def test_verify_finds_removal_of_lock_set_before_stack_lock(self):
        self.server_action(self.id_, 'lock')
        self.lock(self.path)
        self.server_action(self.id_, 'unlock')
        self.assertEqual((1, 'not_protected'), self._verified())
        self.lock(self.path)
        self.assertEqual((0, 'protected'), self._verified())

    def test_unlock_event_names_server_unlocked_by_other_user(self):
        self.lock(self.path)
        self.assertEqual(202, self.server_action(
            self.id_, 'unlock', client=self.client('bob')))
        self.unlock(self.path)
        self.assertIn('had been unlocked by another user or program: server',
                      self.last_reason(self.path))

    def test_verify_finds_server_unlocked_or_locked_by_other_user(self):
        self.lock(self.path)
        self.assertEqual((0, 'protected'), self._verified())
        self.server_action(self.id_, 'unlock')
        self.assertEqual((1, 'not_protected'), self._verified())
        self.server_action(self.id_, 'lock', client=self.client('root'))
        self.assertEqual((1, 'found_protected'), self._verified())
        self.server_action(self.id_, 'unlock', client=self.client('root'))

    def _verified(self):
        """Run ``list-locks --verify``; returns its exit status and result."""
        done = command.run(
            [command.program('heat-extras-manage'),
             '--config-file', self.cloud.heat.file,
             'list-locks', '--verify', '--format', 'json'])
        self.addDetail('verify', content.text_content(done.stderr))
        status, = [each['found'] for each in json.loads(done.stdout)
                   if each['stack_id'] == self.path.rpartition('/')[2]]
        return done.returncode, status

    def test_unlock_keeps_lock_that_admin_set_on_server(self):
        self.lock(self.path)
        root = self.client('root')
        # Nova keeps the reason of heat-extras.
        self.assertEqual(202, self.server_action(
            self.id_, 'lock', client=root))
        self.unlock(self.path)
        self.assertIn('somebody else: server', self.last_reason(self.path))
        self.assertTrue(self.server(self.id_)['locked'])
        self.server_action(self.id_, 'unlock', client=root)

    def test_second_lock_locks_unlocked_server_again(self):
        self.lock(self.path)
        self.server_action(self.id_, 'unlock')
        self.lock(self.path)
        self.assertTrue(self.server(self.id_)['locked'])
        self.lock(self.path, level='stacks')
        self.assertFalse(self.server(self.id_)['locked'])

    def test_deleted_server_does_not_fail_lock_or_unlock(self):
        self.lock(self.path)
        self.assertEqual(204, self.client('root').call(
            'compute', 'DELETE', f'/servers/{self.id_}').status_code)
        self.wait_for('the end of the server', lambda: self.alice.call(
            'compute', 'GET', f'/servers/{self.id_}').status_code,
            lambda status: status == 404)
        self.unlock(self.path)
        self.lock(self.path)
        self.assertEqual(
            'the physical resource is deleted',
            self.resource(self.path, 'server')['lock_protection_reason'])

    def test_administrator_lock_cannot_be_removed_by_member(self):
        ops = self.client('ops')
        self.lock(self.path, ops)
        self.assert_status(403, self.act(self.path, 'unlock'))
        self.assertTrue(self.server(self.id_)['locked'])
        self.unlock(self.path, ops)
        self.assertFalse(self.server(self.id_)['locked'])

    def test_resource_has_lock_and_unlock_events(self):
        self.lock(self.path)
        self.unlock(self.path)
        events = self.alice.get(
            f'{self.path}/resources/server/events').json()['events']
        self.assertEqual(
            ['LOCK_COMPLETE', 'LOCK_IN_PROGRESS', 'UNLOCK_COMPLETE',
             'UNLOCK_IN_PROGRESS'],
            sorted(event['resource_status'] for event in events
                   if 'LOCK' in event['resource_status']))

    def test_lock_and_unlock_keep_server_status(self):
        for leave, back, state in (('os-stop', 'os-start', 'SHUTOFF'),
                                   ('rescue', 'unrescue', 'RESCUE'),
                                   ('shelve', 'unshelve', 'SHELVED'),
                                   (None, None, 'ERROR')):
            self._bring(leave, state)
            self.lock(self.path)
            if back:
                self.assertEqual(409, self.server_action(self.id_, back))
            self.unlock(self.path)
            self.assertEqual(state, self.server(self.id_)['status'])
            self._bring(back, 'ACTIVE')

    def _bring(self, action, status):
        if action:
            self.assertEqual(True, self.server_action(
                self.id_, action) in (200, 202))
        else:
            self.server_action(
                self.id_, 'os-resetState',
                {'state': 'active' if status == 'ACTIVE' else 'error'},
                self.client('root'))
        self.wait_for(status, lambda: self.server(self.id_)['status'],
                      lambda value: value == status)


class TreeTest(protection.ProtectionTestCase):
    def test_lock_protects_resources_of_nested_groups(self):
        source = self.useFixture(file_service.FileService(
            templates.IMAGE_FILE))
        path = self.create_stack(templates.tree(source.url(templates.IMAGE)),
                                 files=templates.FILES)
        self.assertEqual(set(), self.locked_servers())
        planned = self.planned(path)
        self.lock(path)
        protection_by_name = {name: (each['resource_type'], each[
            'lock_protection']) for name, each in self.resources(path).items()}
        self.assertEqual({'server': ('OS::Nova::Server', 'protected'),
                          'nested': ('servers.yaml', None),
                          'group': ('OS::Heat::ResourceGroup', None),
                          '0': ('OS::Nova::Server', 'protected'),
                          '1': ('OS::Nova::Server', 'protected'),
                          'image': ('OS::Glance::WebImage', 'protected'),
                          'network': ('OS::Neutron::Net', 'no_lock_api')},
                         protection_by_name)
        self.assertEqual(
            planned, {name: protection for name, (_, protection)
                      in protection_by_name.items() if protection})
        self.assertEqual(3, len(self.locked_servers()))
        self.unlock(path, self.client('bob'))
        self.assertEqual(set(), self.locked_servers())

    def planned(self, path):
        """Run ``stack lock --dry-run``, and check that nothing changes."""
        rows = self.alice.openstack_json(
            'stack', 'lock', '--dry-run', path.split('/')[2])
        self.assertIsNone(self.alice.show_stack(path)['lock_level'])
        self.assertEqual(set(), self.locked_servers())
        return {row['Resource Name']: row['Lock Protection'] for row in rows}


class ImageTest(protection.ProtectionTestCase):
    def test_protected_image_cannot_be_deleted(self):
        source = self.useFixture(file_service.FileService(
            templates.IMAGE_FILE))
        path = self.create_stack(templates.stack(
            image=templates.image(source.url(templates.IMAGE)),
            kept=templates.image(source.url(templates.IMAGE), protected=True)))
        image, kept = (self.physical_id(path, name)
                       for name in ('image', 'kept'))
        self.lock(path)
        self.assertEqual('protected', self.protection(path, 'image'))
        self.assertEqual('found_protected', self.protection(path, 'kept'))
        done = self.alice.openstack('image', 'delete', image)
        self.assertNotEqual(0, done.returncode, done.stdout)
        self.unlock(path)
        self.assertTrue(self.is_protected(kept))
        self.assertFalse(self.is_protected(image))
        self.alice.call(
            'image', 'PATCH', f'/v2/images/{kept}', json=[
                {'op': 'replace', 'path': '/protected', 'value': False}],
            headers={'Content-Type': 'application/'
                                     'openstack-images-v2.1-json-patch'})

    def is_protected(self, image):
        return self.alice.call(
            'image', 'GET', f'/v2/images/{image}').json()['protected']
