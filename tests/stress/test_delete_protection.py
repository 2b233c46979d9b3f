# SPDX-License-Identifier: Apache-2.0

"""Deletions that race a delete protection."""

from testtools import content

from tests.functional import base as functional
from tests.stress import base
from tests.stress import protection


class ConvergenceTest(functional.TestCase):
    """With Heat's default engine."""

    is_shared = False

    def test_either_deletion_or_protection_succeeds(self):
        run = protection.DeleteProtectionRun(self.client)
        run.run(2 * base.SECONDS)
        rounds = f'{self.id()}: {dict(run.rounds)}'
        self.addDetail('rounds', content.text_content(rounds))
        if base.FIGURES:
            with open(base.FIGURES, 'a') as sink:
                sink.write(rounds + '\n')
        self.assertEqual([], run.violations)
        for end in 'kept', 'deleted', 'update went on':
            self.assertGreater(run.rounds[end], 0, run.rounds)


class LegacyTest(ConvergenceTest):
    """With the engine before convergence."""

    settings = functional.LEGACY
