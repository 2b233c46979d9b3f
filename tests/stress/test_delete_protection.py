# SPDX-License-Identifier: Apache-2.0

"""Stress tests of delete protection during deletions."""

from testtools import content

from tests.functional import base as functional
from tests.stress import base
from tests.stress import protection


class ConvergenceTest(functional.TestCase):
    """Stress tests with Heat's default engine."""

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
    """Stress tests with Heat's legacy engine."""

    settings = functional.LEGACY
