# SPDX-License-Identifier: Apache-2.0

import collections

import testtools

from heat_extras.plugins.placement import planner

S, V = 'OS::Nova::Server', 'OS::Cinder::Volume'


def group(name, policy, *kinds, placed=()):
    return planner.Group(name, policy, tuple(
        (f'{name}{index}', kind) for index, kind in enumerate(kinds)),
        placed)


def racks(**servers):
    return {name: {S: count, V: 2} for name, count in servers.items()}


class PlannerTest(testtools.TestCase):

    def plan(self, free, *groups):
        found = planner.plan(groups, free)
        for one in groups:
            used = [*one.placed, *(found[key] for key, _kind in one.members)]
            wanted = 1 if one.policy == planner.SAME_RACK else len(used)
            self.assertEqual(wanted, len(set(used)), found)
        kinds = collections.Counter(
            (found[key], kind) for one in groups
            for key, kind in one.members)
        for (rack, kind), count in kinds.items():
            self.assertLessEqual(count, free[rack][kind])
        return found

    def assert_impossible(self, text, free, *groups):
        error = self.assertRaises(planner.Impossible, planner.plan, groups,
                                  free)
        self.assertIn(text, str(error))

    def test_together_where_there_is_room(self):
        found = self.plan(racks(a=1, b=3), group('g', 'same_rack', S, S, V))
        self.assertEqual({'b'}, set(found.values()))

    def test_together_where_the_others_are(self):
        found = self.plan(racks(a=1, b=9), group('g', 'same_rack', S,
                                                 placed=('a',)))
        self.assertEqual({'g0': 'a'}, found)
        self.assert_impossible(
            'placement group g: found no room on rack a, where the group '
            'is, for 2 OS::Nova::Server', racks(a=1, b=9),
            group('g', 'same_rack', S, S, placed=('a',)))

    def test_no_rack_for_all(self):
        self.assert_impossible(
            'found no room on any rack for 1 OS::Cinder::Volume and 2 '
            'OS::Nova::Server together', racks(a=1, b=1),
            group('g', 'same_rack', S, S, V))
        self.assert_impossible('any rack', {}, group('g', 'same_rack', S))
        self.assert_impossible('any rack', racks(a=1),
                               group('g', 'same_rack', 'X'))

    def test_spread_over_racks_of_their_own(self):
        self.plan(racks(a=1, b=1, c=0), group('g', 'spread', S, S, V))
        self.plan(racks(a=1, b=1), group('g', 'spread', S, placed=('a',)))
        self.assert_impossible(
            'found too few racks with room, wanted one for each of 3 '
            'OS::Nova::Server', racks(a=5, b=5),
            group('g', 'spread', S, S, S))
        self.assert_impossible(
            'without members of the group', racks(a=5),
            group('g', 'spread', S, placed=('a',)))

    def test_one_group_gives_way_to_another(self):
        # The first choice of a spread group would take the last large rack.
        self.plan(racks(a=2, b=1, c=1), group('one', 'spread', S, S),
                  group('two', 'same_rack', S, S))
        self.assert_impossible(
            'groups one, two: found no plan', racks(a=2, b=1),
            group('one', 'spread', S, S), group('two', 'same_rack', S, S))

    def test_a_policy_that_what_is_there_breaks(self):
        self.assert_impossible(
            'found members on a, b, wanted one rack', racks(a=9, b=9),
            group('g', 'same_rack', S, placed=('a', 'b')))
        self.assert_impossible(
            'found several members on one rack', racks(a=9, b=9),
            group('g', 'spread', S, placed=('a', 'a')))

    def test_a_hard_case_comes_to_an_end(self):
        free = {f'r{index}': {S: 2} for index in range(40)}
        groups = [group(f'g{index}', 'same_rack', S, S)
                  for index in range(41)]
        self.assert_impossible('satisfies all', free, *groups)

    def test_nobody_who_needs_a_place(self):
        self.assertEqual({}, self.plan({}, planner.Group(
            'g', 'spread', (), ('gone',))))
