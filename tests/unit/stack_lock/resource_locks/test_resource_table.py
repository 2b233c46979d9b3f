# SPDX-License-Identifier: Apache-2.0

"""The validity of operation tokens, and late calls of services."""

from unittest import mock

from heat.db import api as db_api
import sqlalchemy
import testtools

from heat_extras.stack_lock import events
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes

LOCKED = {'level': 'all', 'action': 'LOCK', 'status': 'COMPLETE'}
UNLOCKED = {'level': None, 'action': 'UNLOCK', 'status': 'COMPLETE'}


class LockInProgressTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(
            fakes.Stack('web'), status='IN_PROGRESS', operation_id='own')
        self.operation_token = resource_table.Token(
            self.database.context, self.web.id, 'own')


class TokenTest(LockInProgressTestCase):
    def hold(self):
        with self.database.heat.engine.begin() as connection:
            self.operation_token.hold(connection)

    def test_token_is_valid_while_lock_is_in_progress(self):
        self.operation_token.check()
        self.hold()

    def test_token_is_superseded_if_lock_ends_or_is_replaced(self):
        for columns in ({'status': 'FAILED'},
                        {'status': 'COMPLETE'},
                        {'status': 'IN_PROGRESS',
                         'operation_id': 'of another'},
                        {'operation_id': None, 'status': None}):
            self.database.change(self.web, **columns)
            self.assertTrue(self.operation_token.is_superseded())
            self.assertRaises(resource_table.Superseded,
                              self.operation_token.check)
            self.assertRaises(resource_table.Superseded, self.hold)

    def test_superseded_token_writes_no_rows(self):
        server = self.database.resource(self.web)
        resource_table.replace_rows(self.operation_token,
                                    {server: (resource_states.LOCKING, None)})
        self.database.change(self.web, operation_id='of another')
        for write in (
                lambda: resource_table.replace_rows(
                    self.operation_token, {}, deleted=[server.id]),
                lambda: resource_table.mark_releasing(
                    self.operation_token, [])):
            self.assertRaises(resource_table.Superseded, write)
        self.assertEqual(1, len(self.database.heat.rows(
            'heat_extras_protection')))

    def statements(self, count):
        """Return the statements that write resources and their events."""
        result, sent = (resource_states.PROTECTED, None), []
        resources = dict.fromkeys((
            self.database.resource(self.web, f'r{number}')
            for number in range(count)), result)
        writer = db_api.context_manager.writer.get_engine()

        def note(connection, cursor, statement, *_):
            sent.append(statement)
        sqlalchemy.event.listen(writer, 'before_cursor_execute', note)
        resource_table.replace_rows(self.operation_token, resources, [
            event for each in resources for event
            in events.resource_end_events('LOCK', {each: result})])
        sqlalchemy.event.remove(writer, 'before_cursor_execute', note)
        return sent

    def test_thousand_rows_need_same_statements_as_single_row(self):
        self.assertEqual(len(self.statements(1)), len(self.statements(1000)))
        self.assertEqual(1001, len(self.database.heat.rows('event')))


class LateCallTest(LockInProgressTestCase):
    """Whether the resource of a late call has to be protected."""

    def setUp(self):
        super().setUp()
        self.server = self.database.resource(self.web)

    def tree(self, state=None, **columns):
        """Change the tree and the resource's row like another operation."""
        if state is not None:
            resource_table.replace_rows(self.operation_token,
                                        {self.server: (state, 'why')})
        self.database.change(self.web, **columns)

    def assert_wanted(self, is_wanted, is_protected=True):
        self.assertEqual(is_wanted, resource_table.is_protection_wanted(
            self.operation_token, self.server.id, is_protected))

    def state(self):
        row, = resource_table.read_tree(self.database.context,
                                        self.web.id).values()
        return row.state

    def test_unlocked_tree_needs_no_protection(self):
        self.tree(**UNLOCKED)
        self.assert_wanted(False)

    def test_deleted_tree_needs_no_protection(self):
        with self.database.heat.engine.begin() as connection:
            connection.execute(self.database.heat.table('stack').delete())
        self.assert_wanted(False)

    def test_level_stacks_needs_no_protection(self):
        self.tree(resource_states.PROTECTED,
                  **{**LOCKED, 'level': 'stacks'})
        self.assert_wanted(False)

    def test_lock_without_row_needs_no_protection(self):
        self.tree(**LOCKED)
        self.assert_wanted(False)

    def test_lock_with_own_row_needs_protection(self):
        for state in resource_states.OWN:
            self.tree(state, **LOCKED)
            for is_protected in True, False:
                self.assert_wanted(True, is_protected)
            self.assertEqual(state, self.state())
            self.database.change(self.web, status='IN_PROGRESS')

    def test_lock_with_found_row_takes_over_protection(self):
        self.tree(resource_states.FOUND, **LOCKED)
        self.assert_wanted(True)
        self.assertEqual(resource_states.PROTECTED, self.state())

    def test_missing_protection_of_other_user_is_not_restored(self):
        self.tree(resource_states.FOUND, **LOCKED)
        self.assert_wanted(False, is_protected=False)
        self.assertEqual(resource_states.FOUND, self.state())

    def test_failed_unlock_keeps_current_protection(self):
        self.tree(resource_states.LOCKING, action='UNLOCK',
                  status='FAILED')
        for is_protected in True, False:
            self.assert_wanted(is_protected, is_protected)

    def test_lock_in_progress_is_waited_for(self):
        def end(seconds):
            self.tree(**UNLOCKED)
        with mock.patch.object(resource_table.time, 'sleep', end):
            self.assert_wanted(False)
