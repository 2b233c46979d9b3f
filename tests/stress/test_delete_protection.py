# SPDX-License-Identifier: Apache-2.0

"""Storms of deletions against a protection from them."""

from testtools import content

from tests.functional import base as functional
from tests.stress import base
from tests.stress import protection


class ConvergenceTest(functional.TestCase):
    """With Heat's default engine."""

    is_shared = False

    def test_of_the_two_one_wins(self):
        storm = protection.Storm(self.client)
        storm.run(2 * base.SECONDS)
        rounds = f'{self.id()}: {dict(storm.rounds)}'
        self.addDetail('rounds', content.text_content(rounds))
        if base.FIGURES:
            with open(base.FIGURES, 'a') as sink:
                sink.write(rounds + '\n')
        self.assertEqual([], storm.violations)
        for end in 'kept', 'deleted', 'update went on':
            self.assertGreater(storm.rounds[end], 0, storm.rounds)


class LegacyTest(ConvergenceTest):
    """With the engine before convergence."""

    settings = functional.LEGACY
