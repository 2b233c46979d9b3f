# SPDX-License-Identifier: Apache-2.0

"""What a report counts and names."""

import testtools

from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import words
from tests.unit.stack_lock.resource_locks import fakes


class ReportTest(testtools.TestCase):
    def report(self, **results):
        stack = fakes.Stack()
        return report.Report(
            {fakes.Resource(stack, name): result
             for name, result in results.items()}, [stack])

    def test_failed_and_unknown_ones_are_named(self):
        found = self.report(
            a=(states.PROTECTED, None), b=(states.FAILED, 'no rights'),
            c=(states.NO_API, 'none'), d=(states.LOCKING, 'late'))
        self.assertEqual(['b of stack web: no rights',
                          'd of stack web: late'], found.failed())

    def test_what_others_did_is_named(self):
        found = self.report(
            a=(None, None), b=(None, words.LIFTED),
            c=(None, words.TAKEN), d=(None, words.NEVER),
            e=(states.FAILED, words.LIFTED))
        self.assertEqual(['b', 'c'], found.lifted_by_others())
