# SPDX-License-Identifier: Apache-2.0

"""Heat's writers and a lock, in every order, on real servers.

Whatever the order: either the lock is refused or the writer is, or one was
over before the other began to look. A tree that is locked is at rest.
"""

import fixtures
from heat.db import api as db_api
from heat.db import models
from oslo_db import exception as db_exception
import sqlalchemy
import testscenarios

from heat_extras import activation
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_transaction
from tests.database import base
from tests.database import prepared_writers
from tests.database import race
from tests.harness import databases

LOCK_REFUSALS = (lock_transaction.TreeBusy,)
# The last two come only inside of a longer transaction, which Heat has none
# of around its writers, but which these tests need to stop a writer before
# it commits: a deadlock is the caller's to retry then, and once a statement
# has failed, nothing can be asked any more.
WRITER_REFUSALS = (errors.StackLocked, db_exception.DBDeadlock,
                   sqlalchemy.exc.PendingRollbackError)

# Where the lock's transaction stops, in its order.
STEPS = ('stack_ids', 'bump_atomic_keys', 'select_for_update',
         'held_stack_locks',
         'hold_stack_locks', 'unsettled_resources', 'unfinished_snapshots',
         'release_stack_locks')
PREPARED = [(prepared.__name__, {'prepared': prepared})
            for prepared in prepared_writers.ALL]


class RaceTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.threads = self.useFixture(race.Threads())

    def start_lock(self, prepared):
        return self.threads.start(
            self.lock, prepared.root, self.new_context())

    def start_writer(self, prepared, after_read=bool, after_write=bool):
        return self.threads.start(self.write, prepared, self.new_context(),
                                  after_read, after_write)

    @staticmethod
    def write(prepared, context, after_read, after_write):
        with db_api.context_manager.writer.using(context):
            prepared.read(context)
            after_read()
            written = prepared.write(context)
            after_write()
        return written

    def read_then_lock_then_write(self, prepared):
        """Let the writer read, lock the stack tree, let the writer write."""
        pause = race.Pause()
        writer = self.start_writer(prepared, after_read=pause)
        pause.wait(writer)
        lock = self.start_lock(prepared)
        race.settle(lock)
        pause.resume()
        return lock, writer

    def write_then_lock_then_commit(self, prepared):
        """Let the writer write, start to lock, let the writer commit."""
        pause = race.Pause()
        writer = self.start_writer(prepared, after_write=pause)
        pause.wait(writer)
        lock = self.start_lock(prepared)
        race.settle(lock)
        pause.resume()
        return lock, writer

    def write_inside_lock(self, prepared, step):
        """Stop the lock's transaction at a step, and let the writer go."""
        with race.PausedLock(step) as paused:
            lock = self.start_lock(prepared)
            paused.pause.wait(lock)
            writer = self.start_writer(prepared)
            race.settle(writer)
            paused.pause.resume()
            race.outcome(lock, LOCK_REFUSALS)
        return lock, writer

    def orders(self):
        """List all orders: names and functions of a prepared write."""
        return [('read, lock, write', self.read_then_lock_then_write),
                ('write, lock, commit', self.write_then_lock_then_commit),
                *((f'write after {step}', lambda prepared,
                   step=step: self.write_inside_lock(prepared, step))
                  for step in STEPS)]

    def skip_what_heat_has_not(self):
        if (self.prepared is prepared_writers.SnapshotUpdate
                and 'action' not in models.Snapshot.__table__.columns):
            self.skipTest('This Heat deletes snapshots in one step.')

    def violations(self, prepared_class):
        """Race in every order; return what should not be, by order."""
        violations = {}
        for name, run in self.orders():
            prepared = prepared_class(self.stacks)
            lock, writer = run(prepared)
            written = race.outcome(writer, WRITER_REFUSALS)
            locked = race.outcome(lock, LOCK_REFUSALS)
            wrong = self.at_work(prepared, written) if locked else []
            if not (locked or written):
                wrong.append('both were refused')
            if wrong:
                violations[name] = wrong
        return violations

    def at_work(self, prepared, written):
        """List what is not at rest in a tree that is locked."""
        stacks = [self.stack(prepared.root), self.stack(prepared.nested),
                  *self.stacks.rows(models.Stack, owner_id=prepared.nested)]
        resources = self.stacks.rows(models.Resource, stack_id=prepared.nested)
        snapshots = self.stacks.rows(models.Snapshot, stack_id=prepared.nested)
        held = self.stacks.rows(models.StackLock, stack_id=prepared.nested)
        return (
            [f'stack {row.id} is not locked' for row in stacks
             if row.lock_level is None]
            + [f'stack {row.id} is IN_PROGRESS' for row in stacks
               if row.status == 'IN_PROGRESS']
            + [f'resource {row.name} is {row.status}, engine {row.engine_id}'
               for row in resources
               if row.status == 'IN_PROGRESS' or row.engine_id]
            + ['snapshot is IN_PROGRESS' for row in snapshots
               if row.status == 'IN_PROGRESS']
            + ['an operation has StackLock' for row in held if written])


class WriterTest(RaceTest):

    scenarios = testscenarios.multiply_scenarios(databases.SERVERS, PREPARED)

    def test_writer_does_not_change_locked_stack_tree(self):
        self.skip_what_heat_has_not()
        self.assertEqual({}, self.violations(self.prepared))


class LateWriterTest(RaceTest):
    """Writers of engines that continue late."""

    scenarios = testscenarios.multiply_scenarios(
        databases.SERVERS, [(prepared.__name__, {'prepared': prepared})
                            for prepared in prepared_writers.UNSEEN])

    def locked_and_written(self, order):
        lock, writer = order(self.prepared(self.stacks))
        return (race.outcome(lock, LOCK_REFUSALS),
                race.outcome(writer, WRITER_REFUSALS))

    def test_nothing_is_written_after_lock(self):
        self.assertEqual((True, False), self.locked_and_written(
            self.read_then_lock_then_write))

    def test_write_is_detected_without_heat_extras(self):
        activation.deactivate()
        self.assertEqual((True, True), self.locked_and_written(
            self.read_then_lock_then_write))

    def test_lock_waits_for_earlier_write(self):
        prepared = self.prepared(self.stacks)
        pause = race.Pause()
        writer = self.start_writer(prepared, after_write=pause)
        pause.wait(writer)
        lock = self.start_lock(prepared)
        race.settle(lock)
        was_done = lock.done()
        pause.resume()
        self.assertFalse(was_done)
        self.assertTrue(race.outcome(writer, WRITER_REFUSALS))
        self.assertTrue(race.outcome(lock, LOCK_REFUSALS))


class FailsWhenUnprotectedTest(RaceTest):
    """The same races find a violation if a guard is removed."""

    scenarios = databases.SERVERS

    def remove_fence(self):
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.tree_rows.bump_atomic_keys',
            lambda session, ids: None))

    def check_seen(self, prepared):
        self.assertNotEqual({}, self.violations(prepared))

    def test_resource_update_without_heat_extras_and_fence(self):
        self.remove_fence()
        activation.deactivate()
        self.check_seen(prepared_writers.ResourceUpdate)

    def test_resource_update_without_heat_extras_and_key(self):
        activation.deactivate()
        self.check_seen(prepared_writers.ResourceUpdateAndSave)

    def test_resource_create_without_heat_extras(self):
        activation.deactivate()
        self.check_seen(prepared_writers.ResourceCreate)

    def test_replacement_without_heat_extras_and_fence(self):
        self.remove_fence()
        activation.deactivate()
        self.check_seen(prepared_writers.ResourceCreateReplacement)

    def test_stack_update_without_heat_extras_and_traversal(self):
        activation.deactivate()
        self.check_seen(prepared_writers.StackUpdateWithoutTraversal)

    def test_nested_create_without_heat_extras(self):
        activation.deactivate()
        self.check_seen(prepared_writers.NestedCreate)

    def test_snapshot_update_without_heat_extras(self):
        activation.deactivate()
        self.check_seen(prepared_writers.SnapshotUpdate)

    def test_stack_lock_without_guard(self):
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.check.check_again',
            lambda *arguments: None))
        self.check_seen(prepared_writers.StackLockAndGuard)
