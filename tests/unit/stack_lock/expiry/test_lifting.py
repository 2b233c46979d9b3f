# SPDX-License-Identifier: Apache-2.0

"""How many locks an engine lifts at the same time, and what it does then."""

import collections
from unittest import mock

import fixtures
import testtools

from heat_extras.stack_lock.expiry import lifting
from heat_extras.stack_lock.expiry import schedule

Entry = collections.namedtuple('Entry', 'id stack_id')


class LiftingTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.due = [Entry(f'lock-{number}', f'stack-{number}')
                    for number in range(6)]
        self.schedule = self.useFixture(fixtures.MockPatchObject(
            lifting, 'schedule', mock.Mock(NotDue=schedule.NotDue))).mock
        self.schedule.due.side_effect = (
            lambda context, count: self.due[:count])
        self.schedule.claim.side_effect = self.take
        self.unlock = self.useFixture(fixtures.MockPatchObject(
            lifting, '_unlock')).mock
        self.under_way = self.useFixture(fixtures.MockPatchObject(
            lifting, '_under_way', set())).mock
        self.begun = []
        self.service = mock.Mock(engine_id='engine')
        self.service.thread_group_mgr.start = (
            lambda group, *call: self.begun.append(call))

    def take(self, context, entry):
        self.due.remove(entry)
        return True

    def run_next(self):
        function, *arguments = self.begun.pop(0)
        function(*arguments)

    def test_four_at_once_and_the_next_when_one_is_lifted(self):
        for _ in range(2):
            lifting.lift_due(self.service)
            self.assertEqual((4, 2), (len(self.begun), len(self.due)))
        for left in 1, 0:
            self.run_next()
            self.unlock.call_args.args[-1](False)
            self.assertEqual((4, left), (len(self.begun), len(self.due)))

    def test_after_a_failure_the_next_waits_for_the_next_report(self):
        lifting.lift_due(self.service)
        for error in schedule.NotDue, OSError:
            self.unlock.side_effect = error
            self.run_next()
        self.unlock.side_effect = SystemExit
        self.assertRaises(SystemExit, self.run_next)
        self.assertEqual((1, 2), (len(self.begun), len(self.due)))
        lifting.lift_due(self.service)
        self.assertEqual((3, 0), (len(self.begun), len(self.due)))

    def test_what_another_engine_has_taken_is_left_to_it(self):
        self.schedule.claim.side_effect = None
        self.schedule.claim.return_value = False
        lifting.lift_due(self.service)
        self.assertEqual(([], set()), (self.begun, self.under_way))

    def test_a_database_that_is_away_ends_no_report(self):
        self.schedule.due.side_effect = OSError
        lifting.lift_due(self.service)
        self.service.thread_group_mgr.start = mock.Mock(side_effect=OSError)
        self.schedule.due.side_effect = None
        self.schedule.due.return_value = self.due[:1]
        lifting.lift_due(self.service)
        self.assertEqual(set(), self.under_way)
