# SPDX-License-Identifier: Apache-2.0

"""When the intent of a deletion ends. The races: tests/database."""

from unittest import mock

import fixtures
import sqlalchemy
import testtools

from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states

BEGINS = {'action': 'DELETE', 'status': 'IN_PROGRESS'}
OTHERS = {'current_traversal': 'new'}


class IntentTest(testtools.TestCase):
    found = protection.NONE

    def setUp(self):
        super().setUp()
        self.write = self.useFixture(fixtures.MockPatchObject(
            delete_intent, '_store_entry',
            side_effect=lambda *arguments: self.found)).mock
        self.remove = self.useFixture(
            fixtures.MockPatchObject(delete_intent, '_delete_entry')).mock
        self.thread = mock.Mock()

    def start(self, function, is_to_wait=True):
        """Start a thread for a deletion; return what it was to run."""
        start = mock.Mock(return_value=self.thread)
        if delete_intent.current_intent():
            delete_intent.current_intent().is_to_wait = is_to_wait
        with request_context.set_operation(states.DELETE):
            self.assertIs(self.thread, delete_intent.start_thread(
                start, 'root', function, 1, more=2))
        (root_id, run, number), more = start.call_args
        self.assertEqual(('root', 1, {'more': 2}), (root_id, number, more))
        return run

    def end_thread(self):
        link, = self.thread.link.call_args.args
        link(self.thread)

    def test_it_ends_with_the_request(self):
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
            own.store('context', 'root')
            self.remove.assert_not_called()
        self.write.assert_called_once_with('context', 'root', mock.ANY)
        self.assertIn('engine/', self.write.call_args.args[2])
        self.remove.assert_called_once()
        self.assertIsNone(delete_intent.current_intent())

    def test_and_with_one_that_fails(self):
        def fail():
            with delete_intent.delete_context('engine') as own:
                own.store('context', 'root')
                raise KeyError()
        self.assertRaises(KeyError, fail)
        self.remove.assert_called_once()

    def test_what_was_not_stored_is_not_removed(self):
        self.found = protection.Protection(tag='keep')
        with delete_intent.delete_context('engine') as own:
            self.assertTrue(own.store('context', 'root').is_set)
        self.remove.assert_not_called()

    def test_another_thread_ends_it(self):
        def work():
            self.assertEqual(states.DELETE, request_context.get_operation())
            self.assertIs(own, delete_intent.current_intent())
            return 'done'
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
            run = self.start(work)
            self.assertIs(work, self.start(work))
        self.assertEqual('done', run())
        self.remove.assert_not_called()
        self.end_thread()
        self.remove.assert_called_once()

    def test_a_thread_that_never_runs_ends_it(self):
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
            self.start(bool)
        self.end_thread()
        self.remove.assert_called_once()

    def test_a_deletion_that_has_begun_waits_in_no_thread(self):
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
            self.assertFalse(delete_intent.record_update(BEGINS, False))
            self.assertTrue(delete_intent.record_update(BEGINS, True))
            self.assertIs(bool, self.start(bool))
        self.remove.assert_called_once()

    def test_other_threads_do_not_end_it(self):
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
            self.assertIs(bool, self.start(bool, is_to_wait=False))
            self.remove.assert_not_called()
        self.remove.assert_called_once()

    def test_without_an_intent_threads_are_as_they_were(self):
        self.assertIs(bool, self.start(bool))
        with delete_intent.delete_context('engine'):
            self.assertIs(bool, self.start(bool))

    def test_a_database_that_is_away_changes_no_answer(self):
        self.remove.side_effect = KeyError
        log = self.useFixture(fixtures.FakeLogger())
        with delete_intent.delete_context('engine') as own:
            own.store('context', 'root')
        self.assertIn('Cannot remove the intent', log.output)

    def test_it_is_stored_until_the_deletion_has_begun(self):
        self.assertIsNone(delete_intent.stored_intent())
        with delete_intent.delete_context('engine') as own:
            self.assertIsNone(delete_intent.stored_intent())
            own.store('context', 'root')
            for values, is_written, wanted in (({}, False, False),
                                               ({}, True, True)):
                delete_intent.record_update(values, is_written)
                self.assertIs(own, delete_intent.stored_intent())
                self.assertEqual(wanted, own.has_written)
            delete_intent.record_update(BEGINS, True)
            self.assertIsNone(delete_intent.stored_intent())

    def test_which_engines_delete(self):
        for intents, wanted in ((None, set()),
                                ('a/1;b/2;a/3;', {'a', 'b'})):
            self.assertEqual(wanted, delete_intent.engines_deleting(
                mock.Mock(delete_intents=intents)))

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
        for module, name, value in (
                (delete_intent, 'stored_intent', held),
                (protection_tag, 'configured_tag', wanted)):
            self.useFixture(fixtures.MockPatchObject(
                module, name, return_value=value))
        return ' AND '.join(map(str, delete_intent.update_criteria(values)))

    def test_most_ask_for_nothing(self):
        self.assertEqual('', self.criteria(OTHERS))

    def test_what_begins_a_deletion_asks_for_both(self):
        criteria = self.criteria(BEGINS)
        self.assertIn('delete_protection_id IS NULL', criteria)
        self.assertIn('FROM stack_tag', criteria)

    def test_where_no_tag_protects_it_asks_for_none(self):
        self.assertNotIn('stack_tag', self.criteria(BEGINS, wanted=None))

    def test_the_first_after_an_intent_asks_for_it_and_no_tag(self):
        held = mock.Mock(has_written=False, **{
            'is_in_database.return_value': 'the intent'})
        for values in BEGINS, OTHERS:
            criteria = self.criteria(values, held)
            self.assertIn('delete_protection_id IS NULL', criteria)
            self.assertIn('the intent', criteria)
            self.assertNotIn('stack_tag', criteria)

    def test_what_it_has_ended_it_ends_as_a_whole(self):
        held = mock.Mock(has_written=True)
        self.assertEqual('', self.criteria(OTHERS, held))
        self.assertEqual('delete_protection_id IS NULL',
                         self.criteria(BEGINS, held))
