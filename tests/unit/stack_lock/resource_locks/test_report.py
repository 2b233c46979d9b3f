# SPDX-License-Identifier: Apache-2.0

"""States after the responses of services, and reports about them."""

from heatclient import exc as heat_exc
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import thread_pool
from tests.unit.stack_lock.resource_locks import fakes

THING = fakes.Resource()


class StateFromLockTest(testtools.TestCase):
    def look(self, lock, is_known=False):
        return report.state_from_lock(THING, lock, is_known)

    def test_unlocked_resource_has_no_state(self):
        self.assertIsNone(self.look(None))
        self.assertIsNone(self.look(None, is_known=True))

    def test_only_known_own_lock_is_protected(self):
        self.assertEqual((resource_states.PROTECTED, None),
                         self.look(('it is', True), is_known=True))
        for is_known, is_own in ((True, False), (False, True),
                                 (False, False)):
            self.assertEqual((resource_states.FOUND, 'it is'),
                             self.look(('it is', is_own), is_known))

    def test_failed_query_is_locking_for_known_lock(self):
        self.assertEqual(resource_states.FAILED,
                         self.look(fakes.Refused())[0])
        self.assertEqual(resource_states.LOCKING,
                         self.look(fakes.Refused(), is_known=True)[0])


class StateAfterLockTest(testtools.TestCase):
    def test_states_after_responses_to_lock(self):
        for answer, state, reason in (
                (None, resource_states.PROTECTED, None),
                (handler_api.LockedByOthers('bob has'),
                 resource_states.FOUND, 'bob has'),
                (handler_api.NoLockAPI('too old'), resource_states.NO_API,
                 'too old'),
                (fakes.NotFound(), resource_states.NO_API,
                 'the physical resource is deleted'),
                (fakes.Refused(403), resource_states.FAILED,
                 'you do not have the required rights: HTTP 403'),
                (fakes.Refused(409), resource_states.FAILED, 'HTTP 409'),
                (thread_pool.NotTried('dead'), resource_states.FAILED,
                 'dead'),
                # The service might have locked the resource.
                (fakes.Refused(500), resource_states.LOCKING, 'HTTP 500'),
                (thread_pool.TimedOut('late'), resource_states.LOCKING,
                 'late'),
                (ValueError(), resource_states.LOCKING, 'ValueError')):
            self.assertEqual((state, reason),
                             report.state_after_lock(THING, answer), answer)

    def test_database_error_is_not_quoted(self):
        state, reason = report.state_after_lock(THING, db_exception.DBError(
            Exception('(1062, "Duplicate entry") [SQL: INSERT INTO x]')))
        self.assertEqual(resource_states.LOCKING, state)
        self.assertIn('unexpected error', reason)
        self.assertNotIn('INSERT', reason)


class StateAfterUnlockTest(testtools.TestCase):
    def test_states_after_responses_to_unlock(self):
        for answer, expected in (
                (None, (None, None)),
                (report.RELEASED_BY_OTHER, (None, report.RELEASED_BY_OTHER)),
                (fakes.NotFound(), (None, None)),
                (fakes.Refused(409), (resource_states.FAILED, 'HTTP 409'))):
            self.assertEqual(expected,
                             report.state_after_unlock(THING, answer))

    def test_error_text_of_heatclient_has_no_prefix(self):
        # The format of heatclient.
        error = heat_exc.HTTPConflict(
            '{"error": {"message": "Busy.", "type": "StackLockConflict"}}')
        self.assertEqual('Busy.', report.error_text(error))

    def test_missing_rights_of_stored_credentials_are_explained(self):
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

    def test_failures_list_failed_and_locking_resources(self):
        text = self.report(
            a=(resource_states.PROTECTED, None),
            b=(resource_states.FAILED, 'no rights'),
            c=(resource_states.NO_API, 'none'),
            d=(resource_states.LOCKING, 'late'))
        self.assertEqual(['b of stack web: no rights',
                          'd of stack web: late'], text.list_failures())

    def test_note_names_resources_changed_by_others(self):
        text = self.report(
            a=(None, None), b=(None, report.RELEASED_BY_OTHER),
            c=(None, report.PROTECTED_BY_OTHER), d=(None, 'was not protected'),
            e=(resource_states.FAILED, report.RELEASED_BY_OTHER))
        self.assertEqual('1 resource had been unlocked by another user or '
                         'program: b. Not released, because of a lock of '
                         'another user or program: c', text.note())
