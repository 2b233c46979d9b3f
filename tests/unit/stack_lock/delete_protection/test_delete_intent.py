# SPDX-License-Identifier: Apache-2.0

"""When the claim of a deletion ends. The races: tests/database."""

import gc
from unittest import mock

import fixtures
import sqlalchemy
import testtools

from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import tag
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states

BEGINS = {'action': 'DELETE', 'status': 'IN_PROGRESS'}
OTHERS = {'current_traversal': 'new'}


class ClaimTest(testtools.TestCase):
    found = protection.NONE

    def setUp(self):
        super().setUp()
        self.take = self.useFixture(fixtures.MockPatchObject(
            delete_intent, '_take', side_effect=self.taken)).mock
        self.delete = self.useFixture(
            fixtures.MockPatchObject(delete_intent, '_delete')).mock

    def taken(self, context, root_id, engine_id, claim_id):
        self.claim_id = claim_id
        return self.found, None if self.found.is_there else claim_id

    def is_known(self):
        gc.collect()
        return self.claim_id in delete_intent._held

    def hand_on(self, function):
        delete_intent.current_intent().is_to_wait = True
        with request_context.set_operation(states.DELETE):
            return delete_intent.release_in_thread(function)

    def test_it_ends_with_the_request(self):
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            own.take('context', 'root')
            self.delete.assert_not_called()
        self.take.assert_called_once_with('context', 'root', 'engine',
                                          mock.ANY)
        self.delete.assert_called_once()
        self.assertIsNone(delete_intent.current_intent())

    def test_and_with_one_that_fails(self):
        def fail():
            with delete_intent.delete_context('engine') as own:
                own.take('context', 'root')
                raise KeyError()
        self.assertRaises(KeyError, fail)
        self.delete.assert_called_once()

    def test_what_was_not_taken_does_not_end(self):
        self.found = protection.tagged(protection.NONE, 'keep')
        with delete_intent.delete_context('engine') as own:
            self.assertTrue(own.take('context', 'root').is_there)
        self.delete.assert_not_called()

    def test_another_thread_ends_it(self):
        def work(value):
            self.assertEqual(states.DELETE, request_context.get_operation())
            self.assertIs(own, delete_intent.current_intent())
            self.delete.assert_not_called()
            return value
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(work)
            self.assertIs(work, self.hand_on(work))
        self.assertEqual('done', run('done'))
        self.delete.assert_called_once()

    def test_a_deletion_that_has_begun_hands_nothing_on(self):
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            self.assertFalse(delete_intent.record_update(BEGINS, False))
            own.is_to_wait = True
            self.assertIsNot(bool, own.hand_on(bool, states.DELETE))
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            self.assertTrue(delete_intent.record_update(BEGINS, True))
            self.assertIs(bool, self.hand_on(bool))

    def test_what_else_is_started_does_not_end_it(self):
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            with request_context.set_operation(states.DELETE):
                self.assertIs(bool, delete_intent.release_in_thread(bool))
            self.delete.assert_not_called()
        self.delete.assert_called_once()

    def test_without_a_claim_functions_are_as_they_were(self):
        with request_context.set_operation(states.DELETE):
            self.assertIs(bool, delete_intent.release_in_thread(bool))
        with delete_intent.delete_context('engine'):
            self.assertIs(bool, self.hand_on(bool))

    def test_a_database_that_is_away_changes_no_answer(self):
        self.delete.side_effect = KeyError
        log = self.useFixture(fixtures.FakeLogger())
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
        self.assertIn('could not be given up', log.output)

        del own
        self.assertFalse(self.is_known())

    def test_it_is_known_as_long_as_somebody_is_to_end_it(self):
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(bool)
            self.assertTrue(self.is_known())
        del own
        self.assertTrue(self.is_known())
        run()
        self.assertFalse(self.is_known())

    def test_a_thread_that_never_runs_ends_none(self):
        with delete_intent.delete_context('engine') as own:
            own.take('context', 'root')
            run = self.hand_on(bool)
        del own, run
        self.assertFalse(self.is_known())
        self.delete.assert_not_called()

    def test_it_is_held_until_the_deletion_has_begun(self):
        self.assertIsNone(delete_intent.own_intent())
        with delete_intent.delete_context('engine') as own:
            self.assertIsNone(delete_intent.own_intent())
            own.take('context', 'root')
            for values, is_written, wanted in (({}, False, False),
                                               ({}, True, True)):
                delete_intent.record_update(values, is_written)
                self.assertIs(own, delete_intent.own_intent())
                self.assertEqual(wanted, own.has_written)
            delete_intent.record_update(BEGINS, True)
            self.assertIsNone(delete_intent.own_intent())

    def test_what_begins_a_deletion(self):
        for values, wanted in ((BEGINS, True), ({}, False),
                               ({**BEGINS, 'status': 'COMPLETE'}, False),
                               ({**BEGINS, 'action': 'ROLLBACK'}, False)):
            self.assertEqual(wanted, delete_intent.begins_deletion(values))


class CriteriaTest(testtools.TestCase):

    def criteria(self, values, held=None, wanted='keep'):
        # Ours is on Heat's class only in an engine.
        self.useFixture(fixtures.MockPatchObject(
            delete_intent, 'heat_models', mock.Mock(**{
                f'Stack.{name}': sqlalchemy.column(name) for name in (
                    'delete_protection_id', 'action', 'status')})))
        for module, name, found in ((delete_intent, 'own_intent', held),
                                    (tag, 'configured_tag', wanted)):
            self.useFixture(fixtures.MockPatchObject(
                module, name, return_value=found))
        return ' AND '.join(map(str, delete_intent.update_criteria(values)))

    def test_most_ask_for_nothing(self):
        self.assertEqual('', self.criteria(OTHERS))

    def test_what_begins_a_deletion_asks_for_both(self):
        found = self.criteria(BEGINS)
        self.assertIn('delete_protection_id IS NULL', found)
        self.assertIn('FROM stack_tag', found)

    def test_where_no_tag_protects_it_asks_for_none(self):
        self.assertNotIn('stack_tag', self.criteria(BEGINS, wanted=None))

    def test_the_first_after_a_claim_asks_for_it_and_for_no_tag(self):
        held = mock.Mock(id='id', has_written=False)
        for values in BEGINS, OTHERS:
            found = self.criteria(values, held)
            self.assertIn('delete_protection_id IS NULL', found)
            self.assertIn('FROM heat_extras_delete_claim', found)
            self.assertNotIn('stack_tag', found)

    def test_what_it_has_ended_it_ends_as_a_whole(self):
        held = mock.Mock(id='id', has_written=True)
        self.assertEqual('', self.criteria(OTHERS, held))
        self.assertEqual('delete_protection_id IS NULL',
                         self.criteria(BEGINS, held))
