# SPDX-License-Identifier: Apache-2.0

"""What a plan says is what the update does, for a table of updates."""

from concurrent import futures
import copy

import testtools
from testtools import content

from tests.functional import base
from tests.functional import plan_cases
from tests.functional import plan_truth

# Of resources that no planner could know more of, in this table.
_MOST_UNCERTAIN = 0.1
_MOST_UNKNOWN = 0.05
_AT_ONCE = 6


class TruthTest(plan_truth.PlanTestCase):

    settings = None

    def test_every_plan_is_what_happens(self):
        with futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            running = {name: pool.submit(self.play, name, *copy.deepcopy(
                make())) for name, make in plan_cases.CASES.items()}
        outcomes = {name: each.result() for name, each in running.items()}
        wrong = {name: each.mistakes for name, each in outcomes.items()
                 if each.mistakes}
        counts = {certainty: sum(each.certainty(certainty)
                                 for each in outcomes.values())
                  for certainty in ('will', 'may', 'unknown')}
        heats = sum(len(each.heats_mistakes) for each in outcomes.values())
        self.addDetail('figures', content.text_content(
            f'{len(outcomes)} updates, {counts}; wrong in the preview of '
            f'Heat: {heats} of '
            f'{sum(len(each.happened) for each in outcomes.values())}'))
        self.assertEqual({}, wrong)
        total = sum(counts.values())
        self.assertLessEqual(counts['unknown'], _MOST_UNKNOWN * total)
        self.assertLessEqual(counts['may'], _MOST_UNCERTAIN * total)
        self.assertGreater(heats, 0)


class TruthLegacyTest(TruthTest):

    settings = base.LEGACY


class SabotageTest(testtools.TestCase):
    """A plan that is wrong is seen, whatever is wrong in it."""

    ACTIONS = ('unchanged', 'updated', 'replaced', 'removed', 'added')

    def mistakes(self, action, did, certainty='will', path='a'):
        plan = [{'path': path, 'action': action, 'certainty': certainty,
                 'reasons': []}]
        return plan_truth.mistakes(plan, {} if did is None else {'a': did})

    def test_certain_words_are_exact(self):
        for action in self.ACTIONS:
            for did in (*self.ACTIONS, None):
                self.assertEqual(
                    action == did, not self.mistakes(action, did),
                    (action, did))

    def test_possible_words_leave_less_open_than_all(self):
        for action, did in (('updated', 'replaced'), ('replaced', 'removed'),
                            ('added', 'removed'), ('unchanged', 'updated')):
            self.assertNotEqual([], self.mistakes(action, did, 'may'))
        for action, did in (('updated', 'unchanged'), ('added', None),
                            ('replaced', 'updated')):
            self.assertEqual([], self.mistakes(action, did, 'may'))

    def test_what_is_not_in_the_plan(self):
        for did in self.ACTIONS:
            self.assertEqual(2, len(self.mistakes('updated', did, path='b')))

    def test_what_is_read_from_a_tree(self):
        class Read:
            def __init__(self, **found):
                self.found = found

        self.assertEqual(
            dict(zip('abcde', ('unchanged', 'updated', 'replaced', 'removed',
                               'added'), strict=True)),
            plan_truth.compare(
                Read(a=(1, 'x'), b=(1, 'x'), c=(1, 'x'), d=(1, 'x')),
                Read(a=(1, 'x'), b=(1, 'y'), c=(2, 'x'), e=(1, 'x'))))
