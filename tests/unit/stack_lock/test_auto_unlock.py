# SPDX-License-Identifier: Apache-2.0

"""Expired locks that an engine removes at the same time."""

import collections
from unittest import mock

import fixtures
import testtools

from heat_extras.operations import sweep
from heat_extras.stack_lock import auto_unlock

Entry = collections.namedtuple('Entry', 'id stack_id')


class UnlockDueTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.due = [Entry(f'lock-{number}', f'stack-{number}')
                    for number in range(6)]
        self.find_due, self.reserve, self.unlock = (
            self.useFixture(fixtures.MockPatchObject(auto_unlock, name)).mock
            for name in ('find_due', 'reserve_lock', '_unlock'))
        self.find_due.side_effect = lambda context, count: self.due[:count]
        self.reserve.side_effect = self.take
        self.in_progress = self.useFixture(fixtures.MockPatchObject(
            auto_unlock, '_in_progress', set())).mock
        self.begun = []
        self.service = mock.Mock(engine_id='engine')
        self.service.thread_group_mgr.start = (
            lambda group, *call: self.begun.append(call))

        self.sweep = sweep.Sweep(self.service)

    def look(self):
        self.sweep.end('expired locks', auto_unlock.unlock_due)

    def take(self, context, entry):
        self.due.remove(entry)
        return True

    def run_next(self):
        function, *arguments = self.begun.pop(0)
        function(*arguments)

    def test_at_most_four_expired_locks_are_removed_at_once(self):
        for _ in range(2):
            self.look()
            self.assertEqual((4, 2), (len(self.begun), len(self.due)))
        for left in 1, 0:
            self.run_next()
            self.assertEqual((4, left), (len(self.begun), len(self.due)))

    def test_after_failure_next_lock_waits_for_next_report(self):
        self.look()
        for error in auto_unlock.NotDue, OSError:
            self.unlock.side_effect = error
            self.run_next()
        self.unlock.side_effect = SystemExit
        self.assertRaises(SystemExit, self.run_next)
        self.assertEqual((1, 2), (len(self.begun), len(self.due)))
        self.look()
        self.assertEqual((3, 0), (len(self.begun), len(self.due)))

    def test_lock_reserved_by_other_engine_is_skipped(self):
        self.reserve.side_effect = None
        self.reserve.return_value = False
        self.look()
        self.assertEqual(([], set()), (self.begun, self.in_progress))

    def test_errors_do_not_interrupt_service_report(self):
        self.find_due.side_effect = OSError
        self.look()
        self.service.thread_group_mgr.start = mock.Mock(side_effect=OSError)
        self.find_due.side_effect = None
        self.find_due.return_value = self.due[:1]
        self.look()
        self.assertEqual(set(), self.in_progress)
