# SPDX-License-Identifier: Apache-2.0

"""Features that were disabled for a time, on every database."""

import concurrent.futures

import fixtures
from heat.common import service_utils
from heat.db import models

from heat_extras.db import disabled_features
from heat_extras.db import models as our_models
from heat_extras.db import operator_locks
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import pass_use
from tests.database import base
from tests.unit.db import test_disabled_features as documents

ENGINES = 3
_STACK = models.Stack.__table__


class DisabledFeaturesTestCase(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(
            service_utils, 'engine_alive', return_value=False))
        self.root, *_ = self.stacks.add_tree(3, 2)

    def restore(self, *names):
        disabled_features.restore_enabled(self.engine, names)

    def write(self, ids, **values):
        with self.engine.begin() as connection:
            connection.execute(_STACK.update().where(
                _STACK.c.id.in_(ids)).values(values))


class LocksTest(DisabledFeaturesTestCase):

    def lock(self, root_id, level='stacks', **options):
        outcome = super().lock(root_id, level=level, **options)
        if level == 'all':
            # As the thread of the lock does at its end.
            lock_transaction.finish_tree(self.context, root_id, 'LOCK',
                                         outcome.operation_id)
        return outcome

    def report(self):
        """Run the task that an engine runs at its report."""
        pass_use.relock_due(self.sweep())

    def add_members(self):
        """Add a nested stack with a nested stack, below a locked stack."""
        below = self.stacks.rows(models.Stack, owner_id=self.root)[0].id
        child = self.stacks.add_stack(below)
        return child, self.stacks.add_stack(child)

    def changed(self):
        with self.engine.connect() as connection:
            return [row.id for row
                    in disabled_features.list_changed_roots(connection)]

    def levels(self):
        return {(row.lock_level, row.lock_passing)
                for row in self.stacks.rows(models.Stack)}

    def test_new_nested_stacks_are_locked_like_root_stack(self):
        self.lock(self.root, level='all')
        members = self.add_members()
        before = {id: self.stack(id) for id in members}
        self.stacks.add_resource(members[1], atomic_key=7)
        self.assertEqual([self.root], self.changed())
        self.restore('stack_lock')
        self.assertEqual({(None, 'all')}, self.levels())
        self.assertEqual([], self.changed())
        self.report()
        self.assertEqual({('all', None)}, self.levels())
        root = self.stack(self.root)
        for id in members:
            row = self.stack(id)
            self.assertEqual(root.lock_id, row.lock_id)
            self.assertNotEqual(before[id].current_traversal,
                                row.current_traversal)
        resource, = self.stacks.rows(models.Resource, stack_id=members[1])
        self.assertGreater(resource.atomic_key, 7)
        self.assertEqual([], self.stacks.rows(models.StackLock))
        self.assertEqual((0, 0), operator_locks.count_passes(self.engine))

    def test_operation_in_progress_can_finish(self):
        self.lock(self.root)
        member, _ = self.add_members()
        self.write([self.root, member], action='UPDATE', status='IN_PROGRESS')
        self.restore('stack_lock')
        self.report()
        self.assertEqual({(None, 'stacks')}, self.levels())
        self.write([self.root, member], status='COMPLETE')
        self.report()
        self.assertEqual({('stacks', None)}, self.levels())

    def test_stack_tree_in_progress_can_be_unlocked(self):
        self.lock(self.root)
        self.add_members()
        self.write([self.root], action='UPDATE', status='IN_PROGRESS')
        self.restore('stack_lock')
        lock_transaction.unlock_tree(self.context, self.root, base.allow)
        self.assertEqual({(None, None)}, self.levels())

    def test_several_engines_restore_lock_once(self):
        self.lock(self.root)
        self.add_members()
        with concurrent.futures.ThreadPoolExecutor(ENGINES) as pool:
            list(pool.map(self.restore, ['stack_lock'] * ENGINES))
        self.assertEqual({(None, 'stacks')}, self.levels())
        self.report()
        self.assertEqual({('stacks', None)}, self.levels())

    def test_other_stacks_are_not_changed(self):
        self.lock(self.root)
        free, *_ = self.stacks.add_tree(1)
        self.write([free], status='IN_PROGRESS')
        self.stacks.add_stack(self.root, backup=True, status='IN_PROGRESS',
                              lock_level='stacks')
        working, *_ = self.stacks.add_tree(1)
        super().lock(working, level='all')
        self.stacks.add_stack(working)
        before = self.stacks.dump()
        self.restore('stack_lock')
        self.assertEqual(before, self.stacks.dump())

    def test_failed_lock_stays_failed(self):
        self.lock(self.root)
        self.write_guards(status='FAILED', status_reason='why')
        self.add_members()
        self.restore('stack_lock')
        self.report()
        self.assertEqual({('stacks', 'FAILED', 'why')}, {
            (row.lock_level, lock.status, lock.status_reason)
            for row in self.stacks.rows(models.Stack)
            for lock in [self.guard(row.lock_id)]})


class TemplatesTest(DisabledFeaturesTestCase):

    def say(self, stack_id, template):
        table = models.RawTemplate.__table__
        used = _STACK.select().with_only_columns(
            _STACK.c.raw_template_id).where(_STACK.c.id == stack_id)
        with self.engine.begin() as connection:
            connection.execute(table.update().where(
                table.c.id.in_(used)).values(template=template))

    def test_stacks_without_enforcement_are_counted(self):
        counts = {'parameters': 0, 'update_policy': 0, 'stack_lock': 0}
        self.assertEqual(
            counts, disabled_features.record_start(self.engine, ()))
        self.say(self.root, documents.STAYS | documents.ALLOWS)
        with self.engine.connect() as connection:
            for feature in ('parameters', 'update_policy'):
                rows = disabled_features.list_first_stacks(
                    connection, feature, 10)
                self.assertIn(self.root, [row.id for row in rows])
            self.assertEqual(1, disabled_features.count_templates(connection))
        self.write([self.root], updatable={'key': False},
                   has_update_policy=True)
        self.lock(self.root)
        self.assertEqual(dict.fromkeys(counts, 1),
                         disabled_features.record_start(self.engine, ()))

    def test_restore_resets_has_update_policy_to_unknown(self):
        ids = [row.id for row in self.stacks.rows(models.Stack)]
        self.write(ids, has_update_policy=False)
        self.write([self.root], has_update_policy=True)
        with concurrent.futures.ThreadPoolExecutor(ENGINES) as pool:
            list(pool.map(lambda _: disabled_features.record_start(
                self.engine, ['stack_lock']), range(ENGINES)))
        self.assertEqual(['without parameters', 'without update_policy'],
                         sorted(row.engine_id for row in self.marks()))
        self.restore('update_policy')
        self.assertEqual({id: True if id == self.root else None
                          for id in ids}, {
            row.id: row.has_update_policy
            for row in self.stacks.rows(models.Stack)})

    def marks(self):
        with self.engine.connect() as connection:
            return connection.execute(our_models.engine_table.select()).all()
