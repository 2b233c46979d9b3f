# SPDX-License-Identifier: Apache-2.0

"""The rows of running operations, which engines can take over."""

import concurrent.futures
import dataclasses

from heat.db import models

from heat_extras.lifecycle import operation_table
from tests.database import base
from tests.database import stack_rows

ENGINES = [f'engine-{number}' for number in range(8)]


class OperationTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.operation = operation_table.Operation(
            id='1', stack_id='s', action='UPDATE', traversal='t',
            engine_id='dead', phase=operation_table.RUNNING)
        operation_table.insert_row(self.context, self.operation)

    def claim(self, engine_id, phase=operation_table.POST):
        return operation_table.take_over(
            self.new_context(overwrite=True), self.operation, engine_id,
            True, phase)

    def test_only_one_engine_takes_over_operation(self):
        with concurrent.futures.ThreadPoolExecutor(len(ENGINES)) as pool:
            claimed = list(filter(None, pool.map(self.claim, ENGINES)))
        self.assertEqual(1, len(claimed))
        self.assertEqual(claimed,
                         operation_table.list_operations(self.context))

    def test_take_over_returns_plugins_that_passed(self):
        self.assertTrue(operation_table.set_passed(self.context,
                                                   self.operation,
                                                   ['a', 'b']))
        self.assertEqual(('a', 'b'), self.claim('here').passed)
        # The former engine can no longer record plugins that passed.
        self.assertFalse(operation_table.set_passed(self.context,
                                                    self.operation,
                                                    ['a', 'b', 'c']))
        self.assertEqual(('a', 'b'), operation_table.list_operations(
            self.context)[0].passed)

    def test_only_owning_engine_deletes_operation(self):
        self.claim('here', operation_table.ABORT)
        operation_table.delete_row(self.context, self.operation, 'dead')
        self.assertEqual(
            [dataclasses.replace(self.operation, engine_id='here',
                                 phase=operation_table.ABORT,
                                 is_failure=True)],
            operation_table.list_operations(self.context))
        operation_table.delete_row(self.context, self.operation, 'here')
        self.assertEqual([], operation_table.list_operations(self.context))

    def test_operation_is_found_by_phase(self):
        for phase in (operation_table.PRE, operation_table.ABORT):
            operation_table.update_row(self.context, '1', phase=phase)
            self.assertIsNone(
                operation_table.find_operation(self.context, 's', 't'))
            self.assertEqual('1', operation_table.find_operation(
                self.context, 's', 't', operation_table.NOT_BEGUN).id)
        operation_table.update_row(self.context, '1',
                                   phase=operation_table.RUNNING)
        self.assertEqual(
            '1',
            operation_table.find_operation(self.context, 's', 't').id)
        self.assertIsNone(
            operation_table.find_operation(self.context, 's', 't',
                                           operation_table.NOT_BEGUN))

    def test_snapshots_in_progress_of_stack_fail(self):
        stacks = [self.stacks.add_stack() for _twice in range(2)]
        for name, stack, status, data in (
                ('made', 0, 'IN_PROGRESS', None),
                ('elsewhere', 1, 'IN_PROGRESS', None),
                ('deleted', 0, 'IN_PROGRESS', {'status': 'COMPLETE'}),
                ('there', 0, 'COMPLETE', {'status': 'COMPLETE'})):
            self.stacks.insert(
                models.Snapshot, id=name, stack_id=stacks[stack],
                tenant=stack_rows.PROJECT, name=name, status=status, data=data)
        self.assert_failed({
            'made': ('FAILED', 'it went down'),
            'elsewhere': ('IN_PROGRESS', None),
            'deleted': ('IN_PROGRESS', None), 'there': ('COMPLETE', None),
        }, stacks[0])

    def test_snapshot_in_progress_of_heat_26_fails(self):
        # Heat 26 stores the data of the stack at once. The later snapshot
        # has no operation yet.
        self.ensure_snapshot_actions()
        stack = self.stacks.add_stack()
        for name, action in (('made', 'CREATE'), ('later', 'CREATE'),
                             ('deleted', 'DELETE')):
            self.set_action(action, self.stacks.add_snapshot(
                stack, id=name, status='IN_PROGRESS',
                data={'status': 'COMPLETE'}))
        self.assert_failed({
            'made': ('FAILED', 'it went down'),
            'later': ('IN_PROGRESS', None),
            'deleted': ('IN_PROGRESS', None)}, stack, 'made')

    def assert_failed(self, wanted, stack, traversal=None):
        """Fail the snapshots of a stack and check all snapshots."""
        operation_table.fail_snapshots(self.context, stack, traversal,
                                       'it went down')
        with self.engine.connect() as connection:
            statuses = {row.id: (row.status, row.status_reason)
                        for row in connection.execute(
                            models.Snapshot.__table__.select())}
        self.assertEqual(wanted, statuses)
