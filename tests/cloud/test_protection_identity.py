# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` on Keystone's roles, projects and domains."""

from tests.cloud import protection
from tests.cloud import templates


class IdentityTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        self.ops = self.client('ops')
        self.path = self.create_stack(
            templates.identity(self.id().rpartition('.')[2][5:40]), self.ops)
        self.role = self.physical_id(self.path, 'role')

    def options(self, kind='role'):
        id_ = self.physical_id(self.path, kind)
        return self.ops.call('identity', 'GET', f'/{kind}s/{id_}').json()[
            kind]['options']

    def test_lock_makes_roles_and_projects_immutable(self):
        self.assertEqual(({}, {}), (self.options(),
                                    self.options('project')))
        self.lock(self.path, self.ops)
        for kind in ('role', 'project'):
            self.assertEqual('protected', self.protection(self.path, kind))
            self.assertEqual({'immutable': True}, self.options(kind))
        done = self.ops.openstack('role', 'delete', self.role)
        self.assertNotEqual(0, done.returncode, done.stdout)
        self.unlock(self.path, self.ops)
        self.assertEqual(({}, {}), (self.options(),
                                    self.options('project')))

    def test_unlock_restores_immutable_false(self):
        self.mark(False)
        self.lock(self.path, self.ops)
        self.unlock(self.path, self.ops)
        self.assertEqual({'immutable': False}, self.options())

    def test_role_immutable_before_lock_stays_immutable(self):
        self.mark(True)
        self.lock(self.path, self.ops)
        self.assertEqual('found_protected',
                         self.protection(self.path, 'role'))
        self.unlock(self.path, self.ops)
        self.assertEqual({'immutable': True}, self.options())
        self.mark(None)

    def test_lock_by_member_without_rights_fails_with_reason(self):
        self.lock(self.path, status='LOCK_FAILED')
        role = self.resource(self.path, 'role')
        self.assertEqual('failed', role['lock_protection'])
        self.assertIn('you do not have the required rights',
                      role['lock_protection_reason'])
        self.assert_refused(self.ops.put(self.path, {
            'template': templates.stack()}))
        self.lock(self.path, self.ops)
        self.unlock(self.path, self.ops)

    def mark(self, value):
        self.assertEqual(200, self.ops.call(
            'identity', 'PATCH', f'/roles/{self.role}', json={
                'role': {'options': {'immutable': value}}}).status_code)
