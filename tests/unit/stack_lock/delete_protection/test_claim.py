# SPDX-License-Identifier: Apache-2.0

"""When the claim of a deletion ends. The races: tests/database."""

import gc
from unittest import mock

import fixtures
import testtools

from heat_extras.stack_lock.delete_protection import claim
from heat_extras.stack_lock.delete_protection import record
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states

BEGINS = {'action': 'DELETE', 'status': 'IN_PROGRESS'}


class ClaimTest(testtools.TestCase):
    found = record.NONE

    def setUp(self):
        super().setUp()
        self.take = self.useFixture(fixtures.MockPatchObject(
            claim, '_take', side_effect=self.taken)).mock
        self.delete = self.useFixture(
            fixtures.MockPatchObject(claim, '_delete')).mock

    def taken(self, context, root_id, engine_id, claim_id):
        self.claim_id = claim_id
        return self.found, None if self.found.is_there else claim_id

    def is_known(self):
        gc.collect()
        return self.claim_id in claim._held

    def hand_on(self, function):
        claim.current().is_to_wait = True
        with request_context.set_operation(states.DELETE):
            return claim.handed_on(function)

    def test_it_ends_with_the_request(self):
        with claim.by('engine') as own:
            own.take('context', 'root')
            own.take('context', 'root')
            self.delete.assert_not_called()
        self.take.assert_called_once_with('context', 'root', 'engine',
                                          mock.ANY)
        self.delete.assert_called_once()
        self.assertIsNone(claim.current())

    def test_and_with_one_that_fails(self):
        def fail():
            with claim.by('engine') as own:
                own.take('context', 'root')
                raise KeyError()
        self.assertRaises(KeyError, fail)
        self.delete.assert_called_once()

    def test_what_was_not_taken_does_not_end(self):
        self.found = record.tagged(record.NONE, 'keep')
        with claim.by('engine') as own:
            self.assertTrue(own.take('context', 'root').is_there)
        self.delete.assert_not_called()

    def test_another_thread_ends_it(self):
        def work(value):
            self.assertEqual(states.DELETE, request_context.get_operation())
            self.assertIs(own, claim.current())
            self.delete.assert_not_called()
            return value
        with claim.by('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(work)
            self.assertIs(work, self.hand_on(work))
        self.assertEqual('done', run('done'))
        self.delete.assert_called_once()

    def test_a_deletion_that_has_begun_hands_nothing_on(self):
        with claim.by('engine') as own:
            own.take('context', 'root')
            self.assertFalse(claim.noted(BEGINS, False))
            own.is_to_wait = True
            self.assertIsNot(bool, own.hand_on(bool, states.DELETE))
        with claim.by('engine') as own:
            own.take('context', 'root')
            self.assertTrue(claim.noted(BEGINS, True))
            self.assertIs(bool, self.hand_on(bool))

    def test_what_else_is_started_does_not_end_it(self):
        with claim.by('engine') as own:
            own.take('context', 'root')
            with request_context.set_operation(states.DELETE):
                self.assertIs(bool, claim.handed_on(bool))
            self.delete.assert_not_called()
        self.delete.assert_called_once()

    def test_without_a_claim_functions_are_as_they_were(self):
        with request_context.set_operation(states.DELETE):
            self.assertIs(bool, claim.handed_on(bool))
        with claim.by('engine'):
            self.assertIs(bool, self.hand_on(bool))

    def test_a_database_that_is_away_changes_no_answer(self):
        self.delete.side_effect = KeyError
        log = self.useFixture(fixtures.FakeLogger())
        with claim.by('engine') as own:
            own.take('context', 'root')
        self.assertIn('could not be given up', log.output)

        del own
        self.assertFalse(self.is_known())

    def test_it_is_known_as_long_as_somebody_is_to_end_it(self):
        with claim.by('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(bool)
            self.assertTrue(self.is_known())
        del own
        self.assertTrue(self.is_known())
        run()
        self.assertFalse(self.is_known())

    def test_a_thread_that_never_runs_ends_none(self):
        with claim.by('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(bool)
        del own, run
        self.assertFalse(self.is_known())
        self.delete.assert_not_called()

    def test_it_is_held_until_the_deletion_has_begun(self):
        self.assertIsNone(claim.held())
        with claim.by('engine') as own:
            self.assertIsNone(claim.held())
            own.take('context', 'root')
            for values, is_written, wanted in (({}, False, False),
                                               ({}, True, True)):
                claim.noted(values, is_written)
                self.assertIs(own, claim.held())
                self.assertEqual(wanted, own.has_written)
            claim.noted(BEGINS, True)
            self.assertIsNone(claim.held())

    def test_what_begins_a_deletion(self):
        for values, wanted in ((BEGINS, True), ({}, False),
                               ({**BEGINS, 'status': 'COMPLETE'}, False),
                               ({**BEGINS, 'action': 'ROLLBACK'}, False)):
            self.assertEqual(wanted, claim.begins(values))
