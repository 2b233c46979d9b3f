# SPDX-License-Identifier: Apache-2.0

"""Whether the caller of an update is the user of a pass."""

import types

import testtools

from heat_extras.stack_lock.lock_pass import pass_row

ANN = {'id': 'a1', 'name': 'ann', 'domain': {'id': 'd1', 'name': 'Users'}}


def context(user=ANN, trust_id=None, trustor_user_id=None, info=None,
            **token):
    return types.SimpleNamespace(
        auth_token_info=info or {'token': {'user': user, **token}},
        trust_id=trust_id, trustor_user_id=trustor_user_id,
        # What a caller can write into a header.
        username='eve', user_id='e1', user_domain_id='d1')


class HolderTest(testtools.TestCase):

    def test_a_user_is_the_one_of_the_token(self):
        for wanted, is_one in (
                (pass_row.User(id='a1'), True),
                (pass_row.User(id='e1'), False),
                (pass_row.User(id='A1'), False),
                (pass_row.User(name='ann', domain='d1'), True),
                (pass_row.User(name='ann', domain='Users'), True),
                (pass_row.User(name='ann', domain='users'), False),
                (pass_row.User(name='Ann', domain='d1'), False),
                (pass_row.User(name='eve', domain='d1'), False),
                (pass_row.User(), False)):
            self.assertEqual(is_one, wanted.is_caller(context()), wanted)

    def test_a_trust_is_nobody(self):
        for caller_context in (context(**{'OS-TRUST:trust': {'id': 't1'}}),
                               context(trust_id='t1'),
                               context(trustor_user_id='a1')):
            self.assertFalse(pass_row.User(id='a1').is_caller(caller_context))

    def test_without_a_token_nobody_is(self):
        for info in (None, {}, {'token': {}}, {'access': {'user': ANN}}):
            caller_context = context()
            caller_context.auth_token_info = info
            for wanted in (pass_row.User(id='e1'), pass_row.User(id='a1'),
                           pass_row.User(name='eve', domain='d1')):
                self.assertFalse(wanted.is_caller(caller_context))

    def test_one_without_a_domain_is_not_found_by_its_name(self):
        user = {'id': 'a1', 'name': 'ann'}
        self.assertFalse(pass_row.User(
            name='ann', domain='d1').is_caller(context(user)))
        self.assertTrue(pass_row.User(id='a1').is_caller(context(user)))


class ReadTest(testtools.TestCase):

    def test_both_ways_to_name_one(self):
        for sent in {'id': 'a1'}, {'name': 'ann', 'domain': 'Users'}:
            self.assertEqual(sent, pass_row.parse_user(sent).to_dict())

    def test_anything_else_is_told(self):
        for sent in (None, 'a1', [], {}, {'id': None}, {'id': ''},
                     {'id': 'x' * 256}, {'name': 'ann'}, {'domain': 'd1'},
                     {'id': 'a1', 'domain': 'd1'},
                     {'name': 'ann', 'domain': ['d1']}):
            error = self.assertRaises(ValueError, pass_row.parse_user, sent)
            self.assertIn('Invalid user of lock_pass: ', str(error))
