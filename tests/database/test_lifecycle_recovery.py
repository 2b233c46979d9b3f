# SPDX-License-Identifier: Apache-2.0

"""Operations that look interrupted, and whether an engine ends them."""

import types
from unittest import mock

import fixtures
from heat.db import models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras import left_operations
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import recovery
from tests.database import base

IN_THREAD = (operation_table.PRE, operation_table.ABORT, operation_table.POST)


class RecoveryTest(base.DatabaseTest):
    """This engine is alive, and the engine "dead" is not."""

    scenarios = [('sqlite', {'kind': 'sqlite'})]

    def setUp(self):
        super().setUp()
        for owner, name, replacement in (
                (left_operations.service_utils, 'engine_alive',
                 lambda context, engine_id: engine_id == 'alive'),
                (pre_post, 'get_engine_id', lambda: base.ENGINE),
                (recovery, 'time', types.SimpleNamespace(
                    sleep=lambda seconds: self.meanwhile()))):
            self.useFixture(fixtures.MockPatchObject(owner, name,
                                                     replacement))
        self.end = self.useFixture(fixtures.MockPatchObject(
            recovery, '_end_operation')).mock
        self.meanwhile = bool
        self.stack_id = self.stacks.add_stack(
            status='IN_PROGRESS', action='UPDATE', current_traversal='new')
        self.resource_id = self.stacks.add_resource(self.stack_id)
        self.addCleanup(left_operations.retain_only, set())

    def work(self, engine_id):
        """Let an engine work on the resource of the stack."""
        with self.engine.begin() as connection:
            table = models.Resource.__table__
            connection.execute(sqlalchemy.update(table).where(
                table.c.id == self.resource_id).values(engine_id=engine_id))

    def operation(self, engine_id=base.ENGINE, traversal='new',
                  phase=operation_table.RUNNING):
        return operation_table.Operation(
            id='1', stack_id=self.stack_id, action='UPDATE', phase=phase,
            traversal=traversal, engine_id=engine_id)

    def is_suspect(self, *arguments, **fields):
        return recovery._is_suspect(self.sweep(),
                                    self.operation(*arguments, **fields))

    def is_ended(self, *arguments, stored=True, **fields):
        """Return whether the thread of the recovery ends an operation."""
        operation = self.operation(*arguments, **fields)
        if stored:
            operation_table.insert_row(self.context, operation)
            operation_table.update_row(self.context, '1',
                                       phase=operation.phase)
        recovery._recover_in_thread(None, operation, self.sweep().is_alive)
        self.assertFalse(left_operations.get_record('1').is_held
                         and self.end.called)
        operation_table.delete_row(self.context, operation,
                                   operation.engine_id)
        return self.end.called

    def test_operation_in_progress_is_not_suspect(self):
        self.assertFalse(self.is_suspect())
        # The engine that started it died, but another one works on it.
        self.work('alive')
        self.assertFalse(self.is_suspect('dead'))

    def test_operation_of_dead_engine_is_suspect(self):
        self.assertTrue(self.is_suspect('dead'))
        self.work('dead')
        self.assertTrue(self.is_suspect())

    def test_operation_that_ended_without_post_calls_is_suspect(self):
        self.assertTrue(self.is_suspect(traversal='old'))
        for values in {'status': 'FAILED'}, {'deleted_at': timeutils.utcnow()}:
            self.stack_id = self.stacks.add_stack(**{
                'status': 'IN_PROGRESS', 'current_traversal': 'new', **values})
            self.assertTrue(self.is_suspect())

    def test_operation_in_thread_is_suspect_without_thread(self):
        cases = [{'phase': phase} for phase in IN_THREAD] + [
            {'traversal': None}]
        left_operations.acquire('1')
        for case in cases:
            self.assertFalse(self.is_suspect(**case), case)
            self.assertTrue(self.is_suspect('dead', **case), case)
        left_operations.release('1')
        for case in cases:
            self.assertTrue(self.is_suspect(**case), case)

    def test_lost_operation_is_ended(self):
        self.work('dead')
        self.assertTrue(self.is_ended())

    def test_operation_without_worker_is_ended(self):
        self.assertTrue(self.is_ended('dead'))

    def test_operation_that_live_engine_takes_over_is_not_ended(self):
        # Also a deletion that first waits for the workers of a dead engine.
        self.work('dead')
        for engine_id in 'dead', base.ENGINE:
            self.meanwhile = lambda: self.work('alive')
            self.assertFalse(self.is_ended(engine_id))
            self.work('dead')

    def test_operation_that_live_engine_has_just_started_is_not_ended(self):
        self.assertFalse(self.is_ended())

    def test_operation_that_has_not_started_is_ended_immediately(self):
        self.meanwhile = mock.Mock()
        self.assertTrue(self.is_ended('dead', phase=operation_table.PRE))
        self.meanwhile.assert_not_called()

    def test_operation_ended_in_the_meantime_is_not_ended_again(self):
        self.assertFalse(self.is_ended('dead', stored=False))

    def test_operation_acquired_by_thread_is_not_ended(self):
        left_operations.acquire('1')
        self.assertFalse(self.is_ended('dead'))
