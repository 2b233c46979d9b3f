# SPDX-License-Identifier: Apache-2.0

"""A lock requires an idle stack tree, and a rejection changes nothing."""

import datetime

from heat.db import api as db_api
from heat.db import models
from oslo_utils import timeutils
from oslo_utils import uuidutils

from heat_extras.stack_lock import lock_transaction
from tests.database import base
from tests.harness import databases

DEAD = 'dead-engine'
LONG_AGO = datetime.timedelta(days=2)


class StateTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        self.root = self.stacks.add_stack()
        self.nested = self.stacks.add_stack(self.root, name='nested')

    def assert_blocked(self, *texts, **options):
        """Try to lock; expect the texts and an unchanged database."""
        before = self.stacks.dump()
        error = self.assertRaises(
            lock_transaction.TreeBusy, self.lock, self.root, **options)
        self.assertEqual(before, self.stacks.dump())
        self.assertEqual(len(texts), len(error.blockers))
        for text in texts:
            self.assertIn(text, str(error))

    def assert_free(self, **options):
        self.lock(self.root, **options)
        self.assertTrue(self.is_locked(self.nested))


class FinalStateTest(StateTest):

    def hold(self, engine_id):
        self.stacks.insert(models.StackLock, stack_id=self.nested,
                           engine_id=engine_id)

    def fail_with_rollback(self, **values):
        """Nest a stack that failed and whose sync points are there."""
        traversal = uuidutils.generate_uuid()
        stack = self.stacks.add_stack(self.root, **{
            'status': 'FAILED', 'disable_rollback': False, 'timeout': 60,
            'current_traversal': traversal, **values})
        self.stacks.insert(
            models.SyncPoint, entity_id='1', traversal_id=traversal,
            is_update=True, atomic_key=0, stack_id=stack)
        return stack

    def add_failure(self, stack_id, created_at):
        """Add the event that Heat writes before a stack shows its failure."""
        self.stacks.insert(
            models.Event, stack_id=stack_id, uuid=uuidutils.generate_uuid(),
            physical_resource_id=stack_id, resource_name='stack',
            resource_type='OS::Heat::Stack', resource_action='UPDATE',
            resource_status='FAILED', resource_status_reason='Timed out',
            created_at=created_at)

    def test_stack_in_progress_blocks(self):
        self.stacks.add_stack(self.nested, action='UPDATE',
                              status='IN_PROGRESS')
        self.assert_blocked('UPDATE_IN_PROGRESS')

    def test_stack_never_started_blocks(self):
        self.stacks.add_stack(self.nested, action='INIT')
        self.assert_blocked('INIT_COMPLETE')

    def test_backup_stack_does_not_block(self):
        self.stacks.add_stack(self.nested, backup=True,
                              status='IN_PROGRESS')
        self.assert_free()

    def test_failed_and_suspended_stacks_do_not_block(self):
        self.stacks.add_stack(self.nested, status='FAILED')
        self.stacks.add_stack(self.nested, action='SUSPEND')
        self.assert_free()

    def test_resource_of_live_engine_blocks(self):
        self.stacks.add_resource(self.nested, engine_id='live')
        self.assert_blocked('resource server of stack nested')
        self.assert_blocked('resource server of stack nested',
                            dead_engines=frozenset({DEAD}))

    def test_resource_of_live_engine_blocks_in_failed_stack(self):
        failed = self.stacks.add_stack(self.root, status='FAILED')
        self.stacks.add_resource(failed, engine_id='live')
        self.assert_blocked('resource server')

    def test_resource_of_dead_engine_does_not_block(self):
        self.stacks.add_resource(self.nested, engine_id=DEAD)
        self.assert_blocked('resource server')
        self.assert_free(dead_engines=frozenset({DEAD}))

    def test_resource_of_dead_engine_is_released(self):
        resource = self.stacks.add_resource(
            self.nested, engine_id=DEAD, status_reason='state changed')
        self.assert_free(dead_engines=frozenset({DEAD}))
        row = self.stacks.row(models.Resource, resource)
        self.assertEqual(('COMPLETE', 'state changed', None),
                         (row.status, row.status_reason, row.engine_id))

    def test_resource_in_progress_of_dead_engine_fails(self):
        for level in 'stacks', 'all':
            root = self.stacks.add_stack(action='UPDATE', status='FAILED')
            nested = self.stacks.add_stack(root, status='FAILED')
            resources = [self.stacks.add_resource(
                stack, status='IN_PROGRESS', action='UPDATE', engine_id=DEAD)
                for stack in (root, nested)]
            self.lock(root, level=level, dead_engines=frozenset({DEAD}))
            for resource in resources:
                row = self.stacks.row(models.Resource, resource)
                self.assertEqual(('UPDATE', 'FAILED', None),
                                 (row.action, row.status, row.engine_id))
                self.assertIn('considered down', row.status_reason)

    def test_dead_engine_that_continues_writes_nothing(self):
        resource = self.stacks.add_resource(
            self.nested, status='IN_PROGRESS', engine_id=DEAD)
        key = self.stacks.row(models.Resource, resource).atomic_key
        self.assert_free(dead_engines=frozenset({DEAD}))
        for is_locked in True, False:
            before = self.stacks.row(models.Resource, resource)
            self.assertFalse(db_api.resource_update(
                self.context, resource,
                {'status': 'COMPLETE', 'engine_id': None}, key,
                expected_engine_id=DEAD))
            self.assertEqual(before, self.stacks.row(models.Resource,
                                                     resource))
            if is_locked:
                lock_transaction.unlock_tree(self.context, self.root,
                                             base.allow)
        self.assert_free()

    def test_resource_of_dead_engine_is_kept_if_lock_is_rejected(self):
        self.stacks.add_resource(self.nested, engine_id=DEAD)
        self.stacks.add_resource(self.nested, engine_id='live')
        self.assert_blocked('resource server',
                            dead_engines=frozenset({DEAD}))

    def test_resource_in_progress_without_engine_blocks(self):
        self.stacks.add_resource(self.nested, status='IN_PROGRESS')
        self.assert_blocked('CREATE_IN_PROGRESS')

    def test_resource_in_progress_in_failed_stack_does_not_block(self):
        failed = self.stacks.add_stack(self.root, status='FAILED')
        self.stacks.add_resource(failed, status='IN_PROGRESS')
        self.assert_free()

    def test_stack_lock_of_live_engine_blocks(self):
        self.hold('live')
        self.assert_blocked('engine live')
        self.assert_blocked('engine live', dead_engines=frozenset({DEAD}))

    def test_stack_lock_of_dead_engine_is_removed(self):
        self.hold(DEAD)
        self.assert_blocked(DEAD)
        self.assert_free(dead_engines=frozenset({DEAD}))
        self.assertEqual([], self.stacks.rows(models.StackLock))

    def test_stack_lock_of_dead_engine_is_kept_if_lock_is_rejected(self):
        self.hold(DEAD)
        self.stacks.add_resource(self.nested, engine_id='live')
        self.assert_blocked('resource server',
                            dead_engines=frozenset({DEAD}))

    def test_all_blockers_are_named(self):
        self.hold('live')
        self.stacks.add_stack(self.nested, status='IN_PROGRESS')
        self.stacks.add_resource(self.nested, engine_id='live')
        self.assert_blocked('engine live', 'CREATE_IN_PROGRESS',
                            'resource server')

    def test_failure_before_its_rollback_blocks(self):
        self.fail_with_rollback()
        self.assert_blocked('rolled back')

    def test_old_timed_out_failure_does_not_block(self):
        stack = self.fail_with_rollback(
            created_at=timeutils.utcnow() - LONG_AGO)
        self.add_failure(stack, timeutils.utcnow() - LONG_AGO)
        self.assert_free()

    def test_rollback_after_recent_timeout_blocks(self):
        stack = self.fail_with_rollback(
            created_at=timeutils.utcnow() - LONG_AGO)
        self.add_failure(stack, timeutils.utcnow())
        self.assert_blocked('rolled back')

    def test_failure_without_rollback_does_not_block(self):
        self.fail_with_rollback(disable_rollback=True)
        self.fail_with_rollback(action='SUSPEND')
        self.fail_with_rollback(convergence=False)
        self.assert_free()

    def test_finished_rollback_does_not_block(self):
        self.stacks.add_stack(self.root, action='ROLLBACK', status='FAILED',
                              disable_rollback=False)
        self.stacks.add_stack(self.root, action='UPDATE', status='FAILED',
                              disable_rollback=False)
        self.assert_free()


class SnapshotTest(StateTest):
    """Snapshots that an engine of Heat 26 or later makes and deletes.

    The models of Heat 24 and 25 lack the column that tells of it. Engines of
    these releases use the same database during a rolling upgrade.
    """

    def setUp(self):
        super().setUp()
        self.ensure_snapshot_actions()

    def add_snapshot(self, action, **values):
        """Insert a snapshot in progress."""
        self.set_action(action, self.stacks.add_snapshot(
            self.nested, **{'status': 'IN_PROGRESS', **values}))

    def test_snapshot_in_progress_blocks(self):
        traversal = self.stack(self.nested).current_traversal
        self.add_snapshot('CREATE', id=traversal)
        self.assert_blocked('CREATE_IN_PROGRESS')

    def test_snapshot_of_other_traversal_does_not_block(self):
        self.add_snapshot('CREATE')
        self.assert_free()

    def test_snapshot_being_deleted_blocks(self):
        self.add_snapshot('DELETE')
        self.assert_blocked('DELETE_IN_PROGRESS')

    def test_old_snapshot_deletion_does_not_block(self):
        self.add_snapshot('DELETE',
                          updated_at=timeutils.utcnow() - LONG_AGO)
        self.assert_free()

    def test_finished_snapshots_do_not_block(self):
        self.add_snapshot(None, status='FAILED')
        self.add_snapshot(None, status='COMPLETE')
        self.assert_free()
