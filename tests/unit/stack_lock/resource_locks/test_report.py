# SPDX-License-Identifier: Apache-2.0

"""What an answer of a service means, and what a report counts and names."""

from heatclient import exc as heat_exc
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import protection_states
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import thread_pool
from tests.unit.stack_lock.resource_locks import fakes

THING = fakes.Resource()


class LookTest(testtools.TestCase):
    def look(self, lock, is_known=False):
        return report.state_from_lock(THING, lock, is_known)

    def test_free(self):
        self.assertIsNone(self.look(None))
        self.assertIsNone(self.look(None, is_known=True))

    def test_ours_is_what_we_know_of_and_own(self):
        self.assertEqual((protection_states.PROTECTED, None),
                         self.look(('it is', True), is_known=True))
        for is_known, is_own in ((True, False), (False, True),
                                 (False, False)):
            self.assertEqual((protection_states.FOUND, 'it is'),
                             self.look(('it is', is_own), is_known))

    def test_who_cannot_be_asked_stays_ours_if_it_was(self):
        self.assertEqual(protection_states.FAILED,
                         self.look(fakes.Refused())[0])
        self.assertEqual(protection_states.LOCKING,
                         self.look(fakes.Refused(), is_known=True)[0])


class LockTest(testtools.TestCase):
    def test_answers_to_a_lock(self):
        for answer, state, reason in (
                (None, protection_states.PROTECTED, None),
                (handler_api.LockedByOthers('bob has'),
                 protection_states.FOUND, 'bob has'),
                (handler_api.NoLockAPI('too old'), protection_states.NO_API,
                 'too old'),
                (fakes.NotFound(), protection_states.NO_API,
                 'the physical resource is deleted'),
                (fakes.Refused(403), protection_states.FAILED,
                 'you do not have the required rights: HTTP 403'),
                (fakes.Refused(409), protection_states.FAILED, 'HTTP 409'),
                (thread_pool.NotTried('dead'), protection_states.FAILED,
                 'dead'),
                # It may have been done all the same.
                (fakes.Refused(500), protection_states.LOCKING, 'HTTP 500'),
                (thread_pool.TimedOut('late'), protection_states.LOCKING,
                 'late'),
                (ValueError(), protection_states.LOCKING, 'ValueError')):
            self.assertEqual((state, reason),
                             report.state_after_lock(THING, answer), answer)

    def test_a_database_is_not_quoted(self):
        state, reason = report.state_after_lock(THING, db_exception.DBError(
            Exception('(1062, "Duplicate entry") [SQL: INSERT INTO x]')))
        self.assertEqual(protection_states.LOCKING, state)
        self.assertIn('unexpected error', reason)
        self.assertNotIn('INSERT', reason)


class UnlockTest(testtools.TestCase):
    def test_answers_to_an_unlock(self):
        for answer, expected in (
                (None, (None, None)),
                (report.RELEASED_BY_OTHER, (None, report.RELEASED_BY_OTHER)),
                (fakes.NotFound(), (None, None)),
                (fakes.Refused(409), (protection_states.FAILED, 'HTTP 409'))):
            self.assertEqual(expected,
                             report.state_after_unlock(THING, answer))

    def test_an_error_is_not_called_one_twice(self):
        # As heatclient writes it.
        error = heat_exc.HTTPConflict(
            '{"error": {"message": "Busy.", "type": "StackLockConflict"}}')
        self.assertEqual('Busy.', report.error_text(error))

    def test_who_lacks_the_rights(self):
        for is_stored, message in ((False, 'required rights: HTTP 401'), (
            True, 'might be deleted): HTTP 401')):
            reasons = (
                report.state_after_unlock(THING, fakes.Refused(401),
                                          is_stored)[1],
                report.state_from_lock(THING, fakes.Refused(401), True,
                                       is_stored)[1])
            for reason in reasons:
                self.assertIn(message, reason)
                self.assertEqual(is_stored, 'Heat stores' in reason)


class ReportTest(testtools.TestCase):
    def report(self, **results):
        stack = fakes.Stack()
        return report.Report(
            {fakes.Resource(stack, name): result
             for name, result in results.items()}, [stack])

    def test_failed_and_unknown_ones_are_named(self):
        text = self.report(
            a=(protection_states.PROTECTED, None),
            b=(protection_states.FAILED, 'no rights'),
            c=(protection_states.NO_API, 'none'),
            d=(protection_states.LOCKING, 'late'))
        self.assertEqual(['b of stack web: no rights',
                          'd of stack web: late'], text.list_failures())

    def test_what_others_did_is_named(self):
        text = self.report(
            a=(None, None), b=(None, report.RELEASED_BY_OTHER),
            c=(None, report.PROTECTED_BY_OTHER), d=(None, 'was not protected'),
            e=(protection_states.FAILED, report.RELEASED_BY_OTHER))
        self.assertEqual('1 resource had been unlocked by another user or '
                         'program: b. Not released, because of a lock of '
                         'another user or program: c', text.note())
