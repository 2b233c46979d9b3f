# SPDX-License-Identifier: Apache-2.0

"""Whether the caller of an update is the user of a pass."""

import types

import testtools

from heat_extras.stack_lock.lock_pass import holder

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
                (holder.Holder(id='a1'), True),
                (holder.Holder(id='e1'), False),
                (holder.Holder(id='A1'), False),
                (holder.Holder(name='ann', domain='d1'), True),
                (holder.Holder(name='ann', domain='Users'), True),
                (holder.Holder(name='ann', domain='users'), False),
                (holder.Holder(name='Ann', domain='d1'), False),
                (holder.Holder(name='eve', domain='d1'), False),
                (holder.Holder(), False)):
            self.assertEqual(is_one, wanted.is_one(context()), wanted)

    def test_a_trust_is_nobody(self):
        for found in (context(**{'OS-TRUST:trust': {'id': 't1'}}),
                      context(trust_id='t1'),
                      context(trustor_user_id='a1')):
            self.assertFalse(holder.Holder(id='a1').is_one(found))

    def test_without_a_token_nobody_is(self):
        for info in (None, {}, {'token': {}}, {'access': {'user': ANN}}):
            found = context()
            found.auth_token_info = info
            for wanted in (holder.Holder(id='e1'), holder.Holder(id='a1'),
                           holder.Holder(name='eve', domain='d1')):
                self.assertFalse(wanted.is_one(found))

    def test_one_without_a_domain_is_not_found_by_its_name(self):
        user = {'id': 'a1', 'name': 'ann'}
        self.assertFalse(holder.Holder(
            name='ann', domain='d1').is_one(context(user)))
        self.assertTrue(holder.Holder(id='a1').is_one(context(user)))


class ReadTest(testtools.TestCase):

    def test_both_ways_to_name_one(self):
        for sent in {'id': 'a1'}, {'name': 'ann', 'domain': 'Users'}:
            self.assertEqual(sent, holder.read(sent, '').shown())

    def test_anything_else_is_told(self):
        for sent in (None, 'a1', [], {}, {'id': None}, {'id': ''},
                     {'id': 'x' * 256}, {'name': 'ann'}, {'domain': 'd1'},
                     {'id': 'a1', 'domain': 'd1'},
                     {'name': 'ann', 'domain': ['d1']}):
            error = self.assertRaises(ValueError, holder.read, sent,
                                      'what was sent')
            self.assertIn('found what was sent, wanted', str(error))
