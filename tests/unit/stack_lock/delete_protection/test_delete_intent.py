# SPDX-License-Identifier: Apache-2.0

"""The removal of the intent of a deletion.

Tests of races: tests/database.
"""

import contextlib
from unittest import mock

import fixtures
import sqlalchemy
import testtools

from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import states

BEGINS = {'action': 'DELETE', 'status': 'IN_PROGRESS'}
OTHERS = {'current_traversal': 'new'}


@contextlib.contextmanager
def deleting():
    """Set a request to delete a stack, with its intent."""
    request = rpc_request.Request(states.DELETE, None,
                                  mock.Mock(engine_id='engine'))
    with rpc_request.processing(request), delete_intent.intend(request) as own:
        yield own


class DeleteIntentTest(testtools.TestCase):
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
        """Start a thread for a deletion, and return its function."""
        start = mock.Mock(return_value=self.thread)
        if delete_intent.current_intent():
            delete_intent.current_intent().is_to_wait = is_to_wait
        self.assertIs(self.thread, delete_intent.start_thread(
            start, 'root', function, 1, more=2))
        (root_id, run, number), more = start.call_args
        self.assertEqual(('root', 1, {'more': 2}), (root_id, number, more))
        return run

    def end_thread(self):
        link, = self.thread.link.call_args.args
        link(self.thread)

    def test_intent_is_stored_once_and_removed_after_request(self):
        with deleting() as own:
            own.store('context', 'root')
            own.store('context', 'root')
            self.remove.assert_not_called()
        self.write.assert_called_once_with('context', 'root', mock.ANY)
        self.assertIn('engine/', self.write.call_args.args[2])
        self.remove.assert_called_once()
        self.assertIsNone(delete_intent.current_intent())

    def test_intent_is_removed_after_failed_request(self):
        def fail():
            with deleting() as own:
                own.store('context', 'root')
                raise KeyError()
        self.assertRaises(KeyError, fail)
        self.remove.assert_called_once()

    def test_rejected_intent_is_not_removed(self):
        self.found = protection.Protection(tag='keep')
        with deleting() as own:
            self.assertTrue(own.store('context', 'root').is_set)
        self.remove.assert_not_called()

    def test_intent_is_removed_at_end_of_thread(self):
        def work():
            self.assertEqual(states.DELETE, rpc_request.operation())
            self.assertIs(own, delete_intent.current_intent())
            return 'done'
        with deleting() as own:
            own.store('context', 'root')
            run = self.start(work)
            self.assertIs(work, self.start(work))
        self.assertEqual('done', run())
        self.remove.assert_not_called()
        self.end_thread()
        self.remove.assert_called_once()

    def test_intent_is_removed_if_thread_never_runs(self):
        with deleting() as own:
            own.store('context', 'root')
            self.start(bool)
        self.end_thread()
        self.remove.assert_called_once()

    def test_intent_is_removed_if_deletion_started_before_thread(self):
        with deleting() as own:
            own.store('context', 'root')
            self.assertFalse(delete_intent.record_update(BEGINS, False))
            self.assertTrue(delete_intent.record_update(BEGINS, True))
            self.assertIs(bool, self.start(bool))
        self.remove.assert_called_once()

    def test_other_threads_do_not_remove_intent(self):
        with deleting() as own:
            own.store('context', 'root')
            self.assertIs(bool, self.start(bool, is_to_wait=False))
            self.remove.assert_not_called()
        self.remove.assert_called_once()

    def test_threads_are_unchanged_without_stored_intent(self):
        self.assertIs(bool, self.start(bool))
        with deleting():
            self.assertIs(bool, self.start(bool))

    def test_failed_removal_of_intent_is_logged(self):
        self.remove.side_effect = KeyError
        log = self.useFixture(fixtures.FakeLogger())
        with deleting() as own:
            own.store('context', 'root')
        self.assertIn('Cannot remove the intent', log.output)

    def test_intent_is_stored_until_deletion_starts(self):
        self.assertIsNone(delete_intent.stored_intent())
        with deleting() as own:
            self.assertIsNone(delete_intent.stored_intent())
            own.store('context', 'root')
            for values, is_written, wanted in (({}, False, False),
                                               ({}, True, True)):
                delete_intent.record_update(values, is_written)
                self.assertIs(own, delete_intent.stored_intent())
                self.assertEqual(wanted, own.has_written)
            delete_intent.record_update(BEGINS, True)
            self.assertIsNone(delete_intent.stored_intent())

    def test_engines_deleting_are_read_from_intents(self):
        for intents, wanted in ((None, set()),
                                ('a/1;b/2;a/3;', {'a', 'b'})):
            self.assertEqual(wanted, delete_intent.engines_deleting(
                mock.Mock(delete_intents=intents)))

    def test_only_delete_in_progress_starts_deletion(self):
        for values, wanted in ((BEGINS, True), ({}, False),
                               ({**BEGINS, 'status': 'COMPLETE'}, False),
                               ({**BEGINS, 'action': 'ROLLBACK'}, False)):
            self.assertEqual(wanted, delete_intent.begins_deletion(values))


class UpdateCriteriaTest(testtools.TestCase):

    def criteria(self, values, held=None, wanted='keep'):
        # Only an engine maps the added column to Heat's class.
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

    def test_other_updates_have_no_criteria(self):
        self.assertEqual('', self.criteria(OTHERS))

    def test_deletion_requires_no_protection_and_no_tag(self):
        criteria = self.criteria(BEGINS)
        self.assertIn('delete_protection_id IS NULL', criteria)
        self.assertIn('FROM stack_tag', criteria)

    def test_deletion_without_configured_tag_does_not_query_tags(self):
        self.assertNotIn('stack_tag', self.criteria(BEGINS, wanted=None))

    def test_first_update_after_intent_requires_intent_but_no_tag(self):
        held = mock.Mock(has_written=False, **{
            'is_in_database.return_value': 'the intent'})
        for values in BEGINS, OTHERS:
            criteria = self.criteria(values, held)
            self.assertIn('delete_protection_id IS NULL', criteria)
            self.assertIn('the intent', criteria)
            self.assertNotIn('stack_tag', criteria)

    def test_later_updates_after_intent_do_not_check_tag(self):
        held = mock.Mock(has_written=True)
        self.assertEqual('', self.criteria(OTHERS, held))
        self.assertEqual('delete_protection_id IS NULL',
                         self.criteria(BEGINS, held))
