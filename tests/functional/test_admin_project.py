# SPDX-License-Identifier: Apache-2.0

"""Tests of project administrators in a cloud with an admin project."""

from tests.functional import base
from tests.functional import freeze_base
from tests.functional import test_stack_lock


class AdminProjectTest(test_stack_lock.StackLockTestCase):

    def setUp(self):
        super().setUp()
        self.project_admin = project_admin(self.client.url)

    def test_locks_of_other_projects_are_not_listed(self):
        self.lock(level='stacks', reason='private words')
        elsewhere = project_admin(
            self.client.url.rpartition('/')[0] + '/other')
        for client in self.project_admin, elsewhere:
            answer = self.assert_status(
                403, client.get('/locks?all_projects=true'))
            self.assertNotIn('private words', answer.text)
        self.assert_status(200, self.project_admin.get('/locks'))
        self.assert_status(200, self.admin.get('/locks?all_projects=true'))

    def test_project_admin_cannot_change_administrator_lock(self):
        self.lock(self.admin, level='stacks', reason='keep out')
        for body in ({'unlock': None}, {'lock': None},
                     {'lock': {'level': 'all'}}):
            self.assert_status(403, self.project_admin.post(
                self.path + '/actions', body))
        self.assertEqual(
            'ops', self.client.show_stack(self.path)['locked_by'])
        self.assert_status(200, self.unlock(self.admin))

    def test_member_can_unlock_stack_locked_by_project_admin(self):
        self.assert_status(200, self.lock(self.project_admin,
                                          level='stacks'))
        self.assert_status(200, self.unlock())

    def test_project_admin_cannot_remove_administrator_protection(self):
        actions = self.path + '/actions'
        self.assert_status(200, self.admin.post(actions, {'protect': {}}))
        for body in {'unprotect': None}, {'protect': {'reason': 'mine'}}:
            self.assert_status(403, self.project_admin.post(actions, body))
        self.assert_status(200, self.admin.post(actions,
                                                {'unprotect': None}))
        self.assert_status(200, self.project_admin.post(actions,
                                                        {'protect': {}}))
        self.assert_status(200, self.client.post(actions,
                                                 {'unprotect': None}))

    def test_stacks_of_other_projects_are_not_found(self):
        self.lock(level='stacks', reason='private words')
        elsewhere = project_admin(
            self.client.url.rpartition('/')[0] + '/other')
        for answer in (elsewhere.get(self.path),
                       elsewhere.get(self.path + '/guards'),
                       elsewhere.post(self.path + '/actions',
                                      {'unlock': None})):
            self.assert_status(404, answer)

    def test_administrator_can_unlock_from_admin_project(self):
        self.lock(self.admin, level='stacks')
        ops = base.Client(self.client.url.rpartition('/')[0] + '/ops',
                          'ops', 'admin')
        self.assert_status(200, ops.post(self.path + '/actions',
                                         {'unlock': None}))
        self.assertEqual('UNLOCK_COMPLETE',
                         self.client.lock_status(self.path))


class LegacyTest(AdminProjectTest):

    settings = base.LEGACY


class NamedProjectTest(test_stack_lock.StackLockTestCase):
    """The policy file defines the admin project, not the token.

    Keystone does not say of a trust's token that it is for another project
    than the admin project, so Heat takes it for one that is.
    """

    is_shared = False

    @classmethod
    def setUpClass(cls):
        path = cls.write_for_class(
            'policy.yaml',
            'context_is_admin: "role:admin and project_id:operators"\n')
        cls.settings = f'[oslo_policy]\npolicy_file = {path}\n'
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.project_admin = self.admin
        self.admin = self.elsewhere('operators')

    def elsewhere(self, project):
        return base.Client(self.client.url.rpartition('/')[0] + '/' + project,
                           'ops', 'admin')

    def test_locks_of_other_projects_are_not_listed(self):
        self.lock(level='stacks', reason='private words')
        for client in self.project_admin, self.elsewhere('other'):
            answer = self.assert_status(
                403, client.get('/locks?all_projects=true'))
            self.assertNotIn('private words', answer.text)
        self.assert_status(200, self.admin.get('/locks?all_projects=true'))

    def test_administrator_lock_and_protection_are_not_removed(self):
        actions = self.path + '/actions'
        self.assert_status(200, self.lock(self.admin, level='stacks'))
        self.assert_status(200, self.admin.post(actions, {'protect': {}}))
        for action in 'unlock', 'unprotect':
            self.assert_status(403, self.project_admin.post(
                actions, {action: None}))
            self.assert_status(404, self.elsewhere('other').post(
                actions, {action: None}))
            self.assert_status(200, self.admin.post(actions, {action: None}))


class ExemptionTest(freeze_base.FreezeTestCase):

    def test_only_cloud_administrator_is_exempt_from_freeze(self):
        for rule in 'rule:context_is_admin', 'is_admin:True':
            self.freeze(exempt=rule)
            self.assert_frozen(project_admin(self.client.url).patch(
                self.path, {}), 'update')
            self.assert_status(202, self.admin.patch(self.path, {}))
            self.client.wait_for_end(self.path)


def project_admin(url):
    """Return a client with the role admin in no admin project."""
    client = base.Client(url, 'pia', 'admin')
    client.token += ':is_admin_project=False'
    return client
