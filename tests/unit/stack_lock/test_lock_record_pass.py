# SPDX-License-Identifier: Apache-2.0

"""Comparison of the caller of an update with the user of a lock pass."""

import types

import testtools

from heat_extras.stack_lock import lock_pass
from heat_extras.stack_lock import lock_record

ANN = {'id': 'a1', 'name': 'ann', 'domain': {'id': 'd1', 'name': 'Users'}}


def context(user=ANN, trust_id=None, trustor_user_id=None, info=None,
            **token):
    return types.SimpleNamespace(
        auth_token_info=info or {'token': {'user': user, **token}},
        trust_id=trust_id, trustor_user_id=trustor_user_id,
        # A caller can send any values in these headers.
        username='eve', user_id='e1', user_domain_id='d1')


class PassUserTest(testtools.TestCase):

    def test_pass_user_is_compared_with_token(self):
        for wanted, is_one in (
                (lock_record.PassUser(id='a1'), True),
                (lock_record.PassUser(id='e1'), False),
                (lock_record.PassUser(id='A1'), False),
                (lock_record.PassUser(name='ann', domain='d1'), True),
                (lock_record.PassUser(name='ann', domain='Users'), True),
                (lock_record.PassUser(name='ann', domain='users'), False),
                (lock_record.PassUser(name='Ann', domain='d1'), False),
                (lock_record.PassUser(name='eve', domain='d1'), False),
                (lock_record.PassUser(), False)):
            self.assertEqual(is_one, wanted.is_caller(context()), wanted)

    def test_caller_with_trust_is_not_pass_user(self):
        for caller_context in (context(**{'OS-TRUST:trust': {'id': 't1'}}),
                               context(trust_id='t1'),
                               context(trustor_user_id='a1')):
            self.assertFalse(lock_record.PassUser(
                id='a1').is_caller(caller_context))

    def test_caller_without_token_is_not_pass_user(self):
        for info in (None, {}, {'token': {}}, {'access': {'user': ANN}}):
            caller_context = context()
            caller_context.auth_token_info = info
            for wanted in (lock_record.PassUser(id='e1'),
                           lock_record.PassUser(id='a1'),
                           lock_record.PassUser(name='eve', domain='d1')):
                self.assertFalse(wanted.is_caller(caller_context))

    def test_user_without_domain_is_found_only_by_id(self):
        user = {'id': 'a1', 'name': 'ann'}
        self.assertFalse(lock_record.PassUser(
            name='ann', domain='d1').is_caller(context(user)))
        self.assertTrue(lock_record.PassUser(id='a1').is_caller(context(user)))


class ParseUserTest(testtools.TestCase):

    def test_user_is_parsed_from_id_or_name_and_domain(self):
        for sent in {'id': 'a1'}, {'name': 'ann', 'domain': 'Users'}:
            self.assertEqual(sent, lock_pass.parse_user(sent).to_dict())

    def test_invalid_user_is_rejected(self):
        for sent in (None, 'a1', [], {}, {'id': None}, {'id': ''},
                     {'id': 'x' * 256}, {'name': 'ann'}, {'domain': 'd1'},
                     {'id': 'a1', 'domain': 'd1'},
                     {'name': 'ann', 'domain': ['d1']}):
            error = self.assertRaises(ValueError, lock_pass.parse_user, sent)
            self.assertIn('Invalid user of lock_pass: ', str(error))
