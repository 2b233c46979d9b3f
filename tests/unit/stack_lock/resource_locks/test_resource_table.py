# SPDX-License-Identifier: Apache-2.0

"""The rows that record the owners of locks."""

from heat.db import api as db_api
import sqlalchemy
import testtools

from heat_extras.stack_lock import events
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes


class ProtectionTableTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.context = self.database.context
        self.web = self.database.add(fakes.Stack('web'),
                                     status='IN_PROGRESS',
                                     operation_id='own')
        self.operation_token = resource_table.Token(
            self.context, self.web.id, 'own')
        self.other = self.database.add(fakes.Stack('other'),
                                       status='COMPLETE')
        self.server = self.database.resource(self.web)
        self.image = self.database.resource(self.web, 'image')

    def write(self, resource, state, reason=None):
        resource_table.replace_rows(self.operation_token,
                                    {resource: (state, reason)})

    def rows(self):
        return {row.resource_name: (row.state, row.reason) for row
                in resource_table.read_tree(self.context,
                                            self.web.id).values()}

    def test_no_results_write_no_rows(self):
        resource_table.replace_rows(self.operation_token, {})
        self.assertEqual({}, self.rows())

    def test_row_is_replaced_and_other_rows_stay(self):
        self.write(self.server, resource_states.LOCKING)
        self.write(self.image, resource_states.FOUND, 'bob has')
        self.write(self.server, resource_states.PROTECTED)
        self.assertEqual({'server': (resource_states.PROTECTED, None),
                          'image': (resource_states.FOUND, 'bob has')},
                         self.rows())

    def test_resources_with_same_name_have_separate_rows(self):
        replaced = self.database.resource(self.other)
        replaced.stack = self.web
        self.write(self.server, resource_states.PROTECTED)
        self.write(replaced, resource_states.FOUND)
        self.assertEqual(
            {self.server.id: resource_states.PROTECTED,
             replaced.id: resource_states.FOUND},
            {id: row.state for id, row in resource_table.read_tree(
                self.context, self.web.id).items()})

    def test_rows_of_stacks_include_lock_status(self):
        self.write(self.server, resource_states.LOCKING)
        row, = resource_table.read_stacks(self.context,
                                          [self.web.id]).values()
        self.assertEqual((resource_states.LOCKING, 'IN_PROGRESS'),
                         (row.state, row.lock_status))
        self.assertEqual({}, resource_table.read_stacks(self.context,
                                                        [self.other.id]))

    def test_row_has_resource_type_and_physical_id(self):
        self.write(self.server, resource_states.LOCKING)
        row, = resource_table.read_tree(self.context, self.web.id).values()
        self.assertEqual(('OS::Test::Thing', 'physical-server'),
                         (row.resource_type, row.physical_resource_id))

    def test_rows_are_deleted_by_resource_or_tree(self):
        for resource in (self.server, self.image):
            self.write(resource, resource_states.PROTECTED)
        resource_table.replace_rows(self.operation_token, {},
                                    deleted=[self.server.id])
        self.assertEqual(['image'], list(self.rows()))
        with self.database.heat.engine.begin() as connection:
            resource_table.delete_tree(connection, self.web.id)
        self.assertEqual({}, self.rows())

    def test_released_rows_stay_while_unlock_is_shown(self):
        self.write(self.server, resource_states.RELEASED)
        self.write(self.image, resource_states.FOUND)
        for is_shown, left in (True, ['server']), (False, []):
            with self.database.heat.engine.begin() as connection:
                resource_table.delete_tree(connection, self.web.id,
                                           is_shown)
            self.assertEqual(left, list(self.rows()))

    def test_own_rows_are_marked_as_releasing(self):
        self.write(self.server, resource_states.PROTECTED)
        self.write(self.image, resource_states.FOUND, 'bob has')
        resource_table.mark_releasing(self.operation_token, [])
        self.assertEqual({'server': (resource_states.LOCKING, None),
                          'image': (resource_states.FOUND, 'bob has')},
                         self.rows())

    def statements(self, count):
        """Return the statements that write resources and their events."""
        resources = [self.database.resource(self.web, f'r{number}')
                     for number in range(count)]
        sent, result = [], (resource_states.PROTECTED, None)
        writer = db_api.context_manager.writer.get_engine()

        def note(connection, cursor, statement, *_):
            sent.append(statement)
        sqlalchemy.event.listen(writer, 'before_cursor_execute', note)
        resource_table.replace_rows(
            self.operation_token, dict.fromkeys(resources, result),
            [event for resource in resources
             for event in events.resource_end_events(
                 'LOCK', {resource: result})])
        sqlalchemy.event.remove(writer, 'before_cursor_execute', note)
        return sent

    def test_thousand_rows_need_same_statements_as_single_row(self):
        self.assertEqual(len(self.statements(1)), len(self.statements(1000)))
        self.assertEqual(1001, len(self.database.heat.rows('event')))

    def test_superseded_token_writes_no_rows(self):
        self.write(self.server, resource_states.LOCKING)
        for columns in ({'status': 'FAILED'},
                        {'status': 'IN_PROGRESS',
                         'operation_id': 'of another'}):
            self.database.change(self.web, **columns)
            self.assertRaises(resource_table.Superseded, self.write,
                              self.server,
                              resource_states.PROTECTED)
            self.assertRaises(resource_table.Superseded,
                              resource_table.replace_rows,
                              self.operation_token, {},
                              deleted=[self.server.id])
            self.assertRaises(resource_table.Superseded,
                              resource_table.mark_releasing,
                              self.operation_token, [])
            self.assertTrue(self.operation_token.is_superseded())
        self.assertEqual({'server': (resource_states.LOCKING, None)},
                         self.rows())

    def test_states_of_tree_are_read(self):
        for resource, state, states in (
                (self.server, resource_states.FOUND, {'found_protected'}),
                (self.image, resource_states.LOCKING,
                 {'found_protected', 'locking'})):
            self.write(resource, state)
            with self.database.heat.engine.begin() as connection:
                self.assertEqual(states, resource_table.read_states(
                    connection, self.web.id))
