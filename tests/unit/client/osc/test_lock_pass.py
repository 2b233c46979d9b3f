# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import json
from unittest import mock

from keystoneauth1 import exceptions as keystone_exceptions
from osc_lib import exceptions

from heat_extras.client.osc import lock_pass
from tests.unit.client import base as client_base
from tests.unit.client.osc import base

UNTIL = '2026-12-24T18:00:00Z'


class LockPassTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web', lock_level='stacks')

    def grant(self, *words, **options):
        return self.call(lock_pass.GrantPass, '--expires-at', UNTIL, *words,
                         **options)

    def test_granted_pass_is_sent_and_shown(self):
        for words, user, shown in (
                (('--user', 'b1'), {'id': 'b1'}, 'b1'),
                (('--user', 'ann', '--user-domain', 'Users'),
                 {'name': 'ann', 'domain': 'Users'}, 'ann (domain Users)')):
            code, out, err = self.grant(*words, '--reason', 'patch', 'web',
                                        '-f', 'json')
            self.assertEqual((0, ''), (code, err))
            self.assertEqual(
                {'lock_pass': {'user': user, 'expires_at': UNTIL,
                               'reason': 'patch'}}, self.heat.posts()[-1][1])
            row, = json.loads(out)
            self.assertEqual(
                (shown, UNTIL, 'stacks', 'pass granted'),
                (row['Pass For'], row['Pass Expires At'], row['Lock Level'],
                 row['Result']))

    def with_keystone(self, **find):
        # Keystone has no user with the ID "bob".
        users = mock.Mock(get=mock.Mock(
            side_effect=keystone_exceptions.NotFound), **find)
        users.resource_class.__name__ = 'User'
        self.clients = {'auth_ref': 'token',
                        'identity': mock.Mock(users=users)}

    def test_user_is_found_by_name(self):
        self.with_keystone(**{'find.return_value': mock.Mock(id='b1')})
        self.assertEqual(0, self.grant('--user', 'bob', 'web')[0])
        self.assertEqual({'id': 'b1'},
                         self.heat.posts()[-1][1]['lock_pass']['user'])

    def test_user_that_is_not_found_is_rejected(self):
        for error, text in (
                (keystone_exceptions.NotFound,
                 "No user with a name or ID of 'bob' exists. Give the name"),
                (keystone_exceptions.Forbidden,
                 "Keystone does not allow you to look up user 'bob'. Give")):
            self.with_keystone(**{'find.side_effect': error,
                                  'list.side_effect': error})
            refused = self.assertRaises(exceptions.CommandError, self.grant,
                                        '--user', 'bob', 'web')
            self.assertIn(text, str(refused))
        self.assertEqual([], self.heat.posts())
        # The ID of a user whom the caller may not look up.
        for user, words in (('ab' * 16, ()), ('ab' * 32, ()), (
                'bob', ('--user-domain', 'Default'))):
            self.assertEqual(0, self.grant('--user', user, *words, 'web')[0])
            self.assertIn(user, self.heat.posts()[-1][1]['lock_pass'][
                'user'].values())

    def test_pass_is_revoked(self):
        self.grant('--user', 'b1', 'web')
        code, out, err = self.call(lock_pass.RevokePass, 'web', '-f', 'json')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual({'lock_pass': None}, self.heat.posts()[-1][1])
        row, = json.loads(out)
        self.assertEqual((None, None, 'pass revoked'),
                         (row['Pass For'], row['Pass Expires At'],
                          row['Result']))

    def test_rejected_pass_is_reported(self):
        self.web.refusal = client_base.fault(409, 'StackLockConflict', 'No.')
        code, out, err = self.grant('--user', 'b1', 'web')
        self.assertEqual((1, 'stack web: No.\n'), (code, err))

    def test_user_and_expiration_are_required(self):
        for words, message in (
                ((), 'the following arguments are required: --user'),
                (('--user', 'b1', '--for', '2h'), 'not allowed with')):
            with contextlib.redirect_stderr(io.StringIO()) as heard:
                self.assertRaises(SystemExit, self.grant, 'web', *words)
            self.assertIn(message, heard.getvalue())
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertRaises(SystemExit, self.call, lock_pass.GrantPass,
                              '--user', 'b1', 'web')
        self.assertEqual([], self.heat.posts())


class ListPassesTest(base.CommandTestCase):

    def test_only_locks_with_pass_are_listed(self):
        for name in 'web', 'mail':
            self.heat.add(name).lock({'level': 'stacks'})
        self.heat.stacks[0].lock_pass({'user': {'id': 'bob'},
                                       'expires_at': UNTIL,
                                       'reason': 'CHG-1042: database move'})
        code, out, err = self.call(lock_pass.ListPasses, '-f', 'json')
        self.assertEqual([{
            'Stack Name': 'web', 'Pass For': 'bob', 'Pass Expires At': UNTIL,
            'Pass Used At': None, 'Reason': 'CHG-1042: database move',
            'Project': 'demo', 'Stack ID': self.heat.stacks[0].id,
            'Lock ID': 'lock-of-web'}], json.loads(out))
        out = self.call(lock_pass.ListPasses, '--max-width', '80')[1]
        self.assertLessEqual(max(map(len, out.splitlines())), 80, out)
        self.assertNotIn('None', out)
