# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import public
from heat_extras.plugins.placement import members

RACKS = {'r': {'B': 1}}


def said(group='g', policy='spread'):
    return {members.KEY: {'group': group, 'policy': policy}}


class MembersTest(testtools.TestCase):

    def test_metadata_of_members_and_others(self):
        found = members.read([('a', {'A'}, said()), ('b', {'A'}, {}),
                              ('c', {'A'}, None)])
        self.assertEqual([members.Member('a', {'A'}, 'g', 'spread')], found)

    def test_names_of_members_that_make_no_sense_too(self):
        self.assertEqual(['a', 'b'], members.names([
            ('a', {'A'}, said()), ('b', {'A'}, {members.KEY: 5}),
            ('c', {'A'}, {}), ('d', {'A'}, None)]))

    def test_metadata_that_make_no_sense(self):
        for bad in ({members.KEY: 5}, {members.KEY: {}}, said(policy='x'),
                    said(group=''), said(group=3), said(group='g' * 256)):
            error = self.assertRaises(public.Denied, members.read,
                                      [('a', {'A'}, bad)])
            self.assertIn('of resource a', str(error))

    def test_two_policies_for_one_group(self):
        self.assertRaises(public.Denied, members.read, [
            ('a', {'A'}, said()), ('b', {'A'}, said(policy='same_rack'))])

    def test_groups_of_those_who_need_a_place(self):
        found = members.read([('a', {'A', 'B'}, said()),
                              ('b', {'A'}, said()),
                              ('c', {'A'}, said(group='h'))])
        one, other = members.groups(found, {'b': 'r2'}, [('g', 'r3')], RACKS)
        self.assertEqual((('a', 'B'),), one.members)
        self.assertEqual(('r2', 'r3'), one.placed)
        self.assertEqual((('c', 'A'),), other.members)
