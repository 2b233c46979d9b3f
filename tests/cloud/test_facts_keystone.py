# SPDX-License-Identifier: Apache-2.0

"""Behavior of ``immutable`` in Keystone, on which the handler relies."""

from tests.cloud import base


class _Facts:
    """Tests for each kind of entity that has the option."""

    kind = None

    def setUp(self):
        super().setUp()
        self.collection = f'/{self.kind}s'
        made = self.call('POST', self.collection, self.fields())
        self.path = f'{self.collection}/{made.json()[self.kind]["id"]}'
        self.addCleanup(self._remove)

    def fields(self):
        return {'name': self.id()[-60:]}

    def call(self, method, path, fields=None, client='ops'):
        body = {} if fields is None else {'json': {self.kind: fields}}
        return self.client(client).call('identity', method, path, **body)

    def change(self, client='ops', **fields):
        """Change the entity; returns the status of the response."""
        return self.call('PATCH', self.path, fields, client).status_code

    def mark(self, value, client='ops', **more):
        return self.change(client, options={'immutable': value}, **more)

    def options(self):
        return self.call('GET', self.path).json()[self.kind]['options']

    def _remove(self):
        self.mark(False)
        # Keystone deletes a domain only if it is disabled.
        self.change(enabled=False)
        self.call('DELETE', self.path)

    def test_immutable_entity_rejects_update_and_delete_by_admin(self):
        self.assertEqual({}, self.options())
        self.assertEqual(200, self.mark(True))
        self.assertEqual({'immutable': True}, self.options())
        self.assertEqual(403, self.change(description='new'))
        self.assertEqual(403, self.call('DELETE', self.path).status_code)

    def test_setting_immutable_again_is_rejected(self):
        self.mark(True)
        self.assertEqual(403, self.mark(True))

    def test_immutable_is_removed_only_by_separate_request(self):
        self.assertEqual(200, self.mark(True, description='set with it'))
        self.assertEqual(403, self.mark(False, description='new'))
        self.assertEqual(200, self.mark(False))
        self.assertEqual({'immutable': False}, self.options())

    def test_null_removes_option_immutable(self):
        self.mark(True)
        self.assertEqual(200, self.mark(None))
        self.assertEqual({}, self.options())

    def test_member_cannot_set_or_remove_immutable(self):
        self.assertEqual(403, self.mark(True, 'alice'))
        # A user who cannot change the entity cannot see it, either.
        self.assertEqual(403, self.call('GET', self.path,
                                        client='alice').status_code)
        self.mark(True)
        self.assertEqual(403, self.mark(False, 'alice'))

    def test_deleted_entity_is_not_found(self):
        self.change(enabled=False)
        self.call('DELETE', self.path)
        self.assertEqual(404, self.mark(True))
        self.assertEqual(404, self.mark(False))


class RoleTest(_Facts, base.CloudTestCase):
    kind = 'role'


class ProjectTest(_Facts, base.CloudTestCase):
    kind = 'project'


class DomainTest(_Facts, base.CloudTestCase):
    kind = 'domain'
