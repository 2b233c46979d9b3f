# SPDX-License-Identifier: Apache-2.0

"""Behavior of ``protected`` in Glance, on which the handler relies."""

from tests.cloud import base

_PATCH = {'Content-Type': 'application/openstack-images-v2.1-json-patch'}


class GlanceFactsTest(base.CloudTestCase):
    def setUp(self):
        super().setUp()
        made = self.call('POST', '', json={
            'name': 'fact', 'disk_format': 'raw',
            'container_format': 'bare'})
        self.image = '/' + made.json()['id']
        self.addCleanup(self.call, 'DELETE', self.image)
        self.addCleanup(self.protect, False)

    def call(self, method, path, client='alice', **more):
        return self.client(client).call(
            'image', method, f'/v2/images{path}', **more)

    def change(self, name, value, client='alice'):
        """Change a property; returns the status of the response."""
        return self.call('PATCH', self.image, client, headers=_PATCH, json=[
            {'op': 'replace', 'path': f'/{name}', 'value': value}
        ]).status_code

    def protect(self, value, client='alice'):
        return self.change('protected', value, client)

    def delete(self, client='alice'):
        return self.call('DELETE', self.image, client).status_code

    def test_protected_image_cannot_be_deleted_even_by_admin(self):
        self.assertEqual(200, self.protect(True))
        for client in ('alice', 'bob', 'ops', 'root'):
            self.assertEqual(403, self.delete(client), client)
        self.assertEqual(200, self.protect(True), 'twice is accepted')

    def test_protected_image_can_be_changed(self):
        self.protect(True)
        self.assertEqual(200, self.change('name', 'renamed'))
        self.assertEqual(204, self.call(
            'PUT', self.image + '/file', data=bytes(10), headers={
                'Content-Type': 'application/octet-stream'}).status_code)
        self.assertEqual(204, self.call(
            'POST', self.image + '/actions/deactivate').status_code)

    def test_only_writers_of_project_and_admins_unprotect_image(self):
        for client, status in (('eve', 403), ('mallory', 404), ('bob', 200),
                               ('root', 200)):
            self.protect(True)
            self.assertEqual(status, self.protect(False, client), client)

    def test_deleted_image_is_not_found(self):
        self.delete()
        self.assertEqual(404, self.protect(True))
        self.assertEqual(404, self.protect(False))
