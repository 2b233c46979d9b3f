# SPDX-License-Identifier: Apache-2.0

"""Tests of lock requests for a locked stack."""

import concurrent.futures

from tests.functional import base
from tests.functional import test_stack_lock

END = '2099-12-24T18:00:00Z'


class ChangeTest(test_stack_lock.StackLockTestCase):
    name = 'changed'

    def setUp(self):
        super().setUp()
        self.bob = self.sandbox.client('bob', 'member')

    def shown(self, *names):
        stack = self.client.show_stack(self.path)
        return tuple(map(stack.get, names or (
            'lock_level', 'lock_reason', 'lock_expires_at', 'locked_by')))

    def locked(self, client=None, **fields):
        answer = self.assert_status(200, self.lock(client, **fields))
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        return answer.json()['lock']

    def test_owner_changes_given_fields(self):
        first = self.locked(level='stacks', reason='db move', expires_at=END)
        self.assertIsNone(first['previous_id'])
        again = self.locked()
        self.assertEqual(first['id'], again['previous_id'])
        self.assertEqual(('stacks', 'db move', END, 'alice'), self.shown())
        self.assertEqual(
            {'level': 'stacks', 'resources': []},
            self.lock(dry_run=True).json()['lock'])
        for change, wanted in (
                ({'level': 'all'}, ('all', 'db move', END, 'alice')),
                ({'reason': 'disks'}, ('all', 'disks', END, 'alice')),
                ({'expires_at': None}, ('all', 'disks', None, 'alice')),
                ({'reason': None}, ('all', None, None, 'alice'))):
            before = self.shown('lock_id')
            after = self.locked(**change)
            self.assertEqual(wanted, self.shown())
            self.assertEqual(before, (after['previous_id'],))
            self.assertEqual(self.shown('lock_id'), (after['id'],))

    def test_other_user_is_rejected_with_name_of_owner(self):
        self.locked(level='stacks', reason='db move')
        before = self.shown('lock_id', 'locked_at'), self.events()
        for client, who in ((self.bob, 'alice since '),
                            (self.admin, 'alice since ')):
            for fields in {}, {'level': 'all'}, {'dry_run': True}:
                answer = self.lock(client, **fields)
                self.assert_status(409, answer)
                error = answer.json()['error']
                self.assertEqual('StackLockConflict', error['type'])
                for message in (who, 'db move', 'lock --replace changed',
                                before[0][0]):
                    self.assertIn(message, error['message'])
        self.assertEqual(before, (self.shown('lock_id', 'locked_at'),
                                  self.events()))

    def test_other_user_replaces_all_fields(self):
        first = self.locked(level='stacks', reason='db move', expires_at=END)
        made = self.locked(self.bob, replace=True)
        self.assertEqual(first['id'], made['previous_id'])
        self.assertEqual(('all', None, None, 'bob'), self.shown())
        # The lock belongs to bob.
        self.assert_status(409, self.lock(level='stacks'))
        self.locked(self.bob, level='stacks')

    def test_other_user_changes_lock_by_id(self):
        first = self.locked(level='stacks', reason='db move')
        self.locked(self.bob, id=first['id'], level='all')
        self.assertEqual(('all', 'db move', None, 'bob'), self.shown())
        self.assert_status(409, self.lock(id=first['id'], level='stacks'))

    def test_member_cannot_change_administrator_lock(self):
        self.locked(self.admin, level='stacks')
        for fields in {}, {'replace': True}:
            answer = self.lock(**fields)
            self.assert_status(403, answer)
        self.locked(self.admin, reason='mine')
        self.assertEqual(('stacks', 'mine', None, 'ops'), self.shown())

    def test_invalid_replace_is_rejected(self):
        for value in None, 'yes', 1:
            answer = self.assert_status(400, self.lock(replace=value))
            self.assertIn('Invalid replace', answer.text)
        self.assert_status(400, self.lock(level=None))

    def test_one_of_two_concurrent_users_gets_lock(self):
        clients = {'alice': self.client, 'bob': self.bob}
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for _ in range(3):
                answers = dict(zip(clients, pool.map(
                    lambda each: self.lock(each, level='stacks'),
                    clients.values()), strict=True))
                owner, = self.shown('locked_by')
                for name, answer in answers.items():
                    self.assert_status(200 if name == owner else 409, answer)
                self.assert_status(200, self.unlock())


class LegacyChangeTest(ChangeTest):
    settings = base.LEGACY
