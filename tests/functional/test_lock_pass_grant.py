# SPDX-License-Identifier: Apache-2.0

"""Tests of granting, showing and revoking lock passes."""

import json

from tests.functional import base
from tests.functional import lock_pass_base
from tests.functional import test_lock_pass
from tests.harness import request_times

UNTIL = r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$'


class GrantTest(lock_pass_base.PassTestCase):
    settings = lock_pass_base.PassTestCase.covered

    def assert_conflict(self, answer, message):
        self.assert_status(409, answer)
        error = answer.json()['error']
        self.assertEqual('StackLockConflict', error['type'])
        self.assertIn(message, error['message'])

    def test_lock_pass_is_shown(self):
        self.assertIsNone(self.shown_pass())
        self.assert_status(200, self.grant(reason='patch'))
        lock_pass = self.shown_pass()
        self.assertRegex(lock_pass.pop('expires_at'), UNTIL)
        self.assertRegex(lock_pass.pop('granted_at'), UNTIL)
        self.assertEqual({'user': {'id': 'bob'}, 'reason': 'patch',
                          'granted_by': 'alice', 'used_at': None}, lock_pass)
        stack = self.client.show_stack(self.path)
        listed = self.client.get('/stacks?show_nested=true').json()['stacks']
        self.assertEqual(3, len([
            each for each in listed
            if each['lock_pass'] == stack['lock_pass']]))
        lock, = self.client.get('/locks').json()['locks']
        self.assertEqual((stack['lock_pass'], 'LOCK_COMPLETE', 'stacks'),
                         (lock['pass'], lock['status'], lock['level']))
        # The overlay is off, because pass users poll the status.
        self.assertEqual('CREATE_COMPLETE', stack['stack_status'])
        self.assertNotIn('prior_stack_status', stack)
        self.assert_refused(self.update())
        self.assert_status(200, self.lock(level='stacks'))
        self.assertEqual(('LOCK_COMPLETE', None),
                         (self.lock_status(), self.shown_pass()))

    def test_stack_status_is_shown_after_unlock(self):
        self.assert_status(200, self.grant())
        self.assert_status(200, self.unlock())
        self.assertEqual(('CREATE_COMPLETE', None),
                         (self.status(), self.shown_pass()))
        self.assert_conflict(self.grant(), 'is not locked')
        self.assert_conflict(self.revoke(), 'is not locked')

    def test_users_are_matched_by_id_or_name_and_domain(self):
        for user in ({'name': 'bob', 'domain': 'Default'},
                     {'name': 'bob', 'domain': 'default'}):
            self.assert_status(200, self.grant(user=user))
            self.assertEqual(user, self.shown_pass()['user'])
            self.assert_refused(self.change(self.client))
            self.assert_status(202, self.change(self.bob))
            self.end('UPDATE_COMPLETE')
        for user in ({'name': 'bob', 'domain': 'other'}, {'id': 'Bob'},
                     {'name': 'BOB', 'domain': 'Default'}):
            self.assert_status(200, self.grant(user=user))
            self.assert_refused(self.change(self.bob))
            self.assert_status(200, self.revoke())

    def test_stack_has_at_most_one_lock_pass(self):
        self.assert_status(200, self.grant())
        self.assert_conflict(self.grant(user={'id': 'carol'}),
                             'the user with the ID bob until ')
        message = self.assert_refused(self.change(self.client))
        self.assertIn('The stack already has a lock pass, granted to the user '
                      'with the ID bob until ', message)
        self.assertNotIn('can grant a lock pass', message)
        self.assert_status(200, self.revoke())
        self.assertIsNone(self.shown_pass())
        self.assertIn('can grant a lock pass',
                      self.assert_refused(self.change(self.bob)))
        self.assert_conflict(self.revoke(), 'has no lock pass')

    def test_user_of_lock_pass_of_other_project_is_not_shown(self):
        self.assert_status(200, self.grant())
        self.sandbox.sql('UPDATE heat_extras_guard SET '
                         "pass_granted_by_project = 'another' "
                         'WHERE stack_id = ?', self.path.rpartition('/')[2])
        refused = self.assert_refused(self.change(self.client))
        self.assertIn('The stack already has a lock pass, granted by a user '
                      'of another project until ', refused)
        another = self.grant()
        self.assert_conflict(another, 'already has a lock pass, granted by a '
                                      'user of another project until ')
        self.assertNotIn('bob', refused + another.text)
        self.assertIsNone(self.shown_pass()['user'])

    def test_expired_lock_pass_is_ignored(self):
        self.assert_status(200, self.grant())
        self.sandbox.sql("""
            UPDATE heat_extras_guard
            SET pass_expires_at = datetime('now', '-1 seconds') || '.000000'
            WHERE stack_id = ?""", self.path.rpartition('/')[2])
        self.assertIsNone(self.shown_pass())
        self.assert_refused(self.change(self.bob))
        self.assert_status(200, self.grant(user={'id': 'carol'}))

    def test_lock_pass_is_rejected_for_level_all(self):
        self.assert_status(200, self.lock(level='all'))
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        self.assert_conflict(self.grant(), 'openstack stack lock --level '
                                           f'stacks {self.name}.')

    def test_invalid_requests_are_rejected(self):
        soon = request_times.from_now(minutes=5)
        for fields in (
                {}, {'user': {'id': 'bob'}}, {'expires_at': soon},
                {'user': 'bob', 'expires_at': soon},
                {'user': {}, 'expires_at': soon},
                {'user': {'id': 5}, 'expires_at': soon},
                {'user': {'id': ''}, 'expires_at': soon},
                {'user': {'id': 'x' * 256}, 'expires_at': soon},
                {'user': {'name': 'bob'}, 'expires_at': soon},
                {'user': {'id': 'b', 'name': 'bob'}, 'expires_at': soon},
                {'user': {'id': 'bob'}, 'expires_at': 'tomorrow'},
                {'user': {'id': 'bob'},
                 'expires_at': request_times.from_now(seconds=-5)},
                {'user': {'id': 'bob'},
                 'expires_at': request_times.from_now(hours=24.1)},
                {'user': {'id': 'bob'}, 'expires_at': soon, 'reason': 5},
                {'user': {'id': 'bob'}, 'expires_at': soon, 'more': 1}):
            answer = self.client.post(self.path + '/actions',
                                      {'lock_pass': fields})
            self.assertEqual(400, answer.status_code, (fields, answer.text))
            self.assertIn('Invalid', answer.text)
        self.assertIsNone(self.shown_pass())
        self.assertEqual('LOCK_COMPLETE', self.lock_status())

    def test_lock_pass_requires_right_to_unlock(self):
        self.assert_status(403, self.grant(self.reader))
        nested = [each for each in self.client.get(
            '/stacks?show_nested=true').json()['stacks']
            if each['stack_name'].startswith(self.name + '-')]
        self.assert_status(400, self.grant(
            path='/stacks/{stack_name}/{id}'.format(**nested[0])))
        self.assert_status(200, self.lock(self.admin, level='stacks',
                                          replace=True))
        self.assert_status(403, self.grant())
        self.assert_status(200, self.grant(self.admin))
        self.assert_status(403, self.revoke())
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_COMPLETE')

    def test_lock_pass_is_rejected_for_failed_lock(self):
        for action in 'LOCK', 'UNLOCK':
            self.write_lock(action=action, status='FAILED')
            self.assert_conflict(
                self.grant(), 'Granting a lock pass of stack '
                f'{self.name} ({self.path.rpartition("/")[2]}) is not '
                f'allowed while its lock is {action}_FAILED.')
            self.assert_conflict(
                self.revoke(), 'Revoking the lock pass of stack ')
        self.write_lock(action='LOCK', status='COMPLETE')

    def test_manage_lists_and_unlocks_during_update(self):
        self.assert_status(200, self.grant())
        for use in (lambda: None, lambda: self.change(
                self.bob, wait=self.long)):
            use()
            output = self.sandbox.run('heat-extras-manage', 'list-locks', '-f',
                                      'json')
            self.assertEqual(0, output.returncode, output.stderr)
            lock, = [each for each in json.loads(output.stdout)
                     if each['stack_name'] == self.name]
            self.assertEqual(('stacks', 'LOCK_COMPLETE'),
                             (lock['level'], lock['status']))
        unlocked = self.sandbox.run('heat-extras-manage', 'unlock', self.name)
        self.assertEqual(0, unlocked.returncode, unlocked.stderr)
        self.assertEqual({(None, None)}, self.columns())


class LegacyGrantTest(GrantTest):
    settings = GrantTest.settings + test_lock_pass.LEGACY


class OtherUsersTest(lock_pass_base.PassTestCase):
    """The pass user can cancel, even if members may not unlock."""

    template = lock_pass_base.LONE
    files = {}

    is_shared = False

    def setUp(self):
        super().setUp()
        self.carol = self.sandbox.client('carol')

    def _delete(self):
        self.unlock(self.admin)
        self.client.wait_for_end(self.path)
        self.admin.delete(self.path)

    def test_only_pass_user_and_administrator_can_cancel(self):
        self.assert_status(200, self.lock(self.admin, level='stacks',
                                          replace=True))
        for canceller in self.bob, self.admin:
            self.assert_status(200, self.grant(self.admin))
            self.assert_status(202, self.change(self.bob, wait=self.long))
            self.client.wait_for_resource(self.path, 'test',
                                          'UPDATE_IN_PROGRESS')
            refused = self.assert_refused(self.carol.post(
                self.path + '/actions', {'cancel_update': None}))
            self.assertIn(test_lock_pass.IN_USE, refused)
            self.assert_status(200, canceller.post(
                self.path + '/actions', {'cancel_update': None}))
            self.end('ROLLBACK_COMPLETE')


class LegacyOtherUsersTest(OtherUsersTest):
    settings = base.LEGACY
