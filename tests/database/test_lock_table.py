# SPDX-License-Identifier: Apache-2.0

"""The lock table and the lock list, on every database."""

import datetime

from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_list
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import states
from tests.database import base
from tests.database import race
from tests.database import stack_rows
from tests.database import statements

_stack = heat_models.Stack.__table__


class LockTableTest(base.DatabaseTest):

    def entries(self):
        with self.engine.connect() as connection:
            return {row.stack_id: row.id for row in connection.execute(
                sqlalchemy.select(models.guard_table))}

    def id_of(self, stack_id):
        return self.stack(stack_id).lock_id

    def write(self, root, **values):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(_stack).where(
                _stack.c.id == root).values(values))

    def unlock(self, root, wanted=None):
        context = self.new_context()
        check = lock_request.transaction_check(
            context, self.stack(root), states.UNLOCK,
            wanted and lock_request.Precondition(wanted))
        return lock_transaction.unlock_tree(context, root, check)

    def test_each_stack_tree_has_one_entry(self):
        ids = self.stacks.add_tree(2, 2)
        other = self.stacks.add_stack()
        lock_ids = set()
        for level in 'stacks', 'all', 'stacks':
            self.lock(ids[0], level=level)
            lock_ids.add(self.id_of(ids[0]))
            self.assertEqual({ids[0]: self.id_of(ids[0])}, self.entries())
            self.assertEqual({self.id_of(ids[0])}, set(map(self.id_of, ids)))
        self.assertEqual(3, len(lock_ids - {None}))
        self.lock(other)
        self.unlock(ids[0])
        self.assertEqual({other: self.id_of(other)}, self.entries())
        self.assertIsNone(self.id_of(ids[0]))

    def test_entry_is_removed_when_pending_unlock_completes(self):
        root = self.stacks.add_stack()
        for failure, wanted in ('no rights', {root}), (None, set()):
            begun = self.lock(root, level='all')
            lock_transaction.finish_tree(self.context, root, 'LOCK',
                                         begun.operation_id, failure)
            lock_id = self.id_of(root)
            operation = self.begin_unlock(root)
            lock_transaction.finish_tree(self.context, root, 'UNLOCK',
                                         operation.operation_id, failure)
            self.assertEqual(wanted, set(self.entries()))
            self.assertEqual(lock_id if failure else None, self.id_of(root))

    def test_failed_and_reset_locks_keep_their_id(self):
        root = self.stacks.add_stack()
        for end in (self.fail_dead_engine,
                    lambda: operator_locks.reset_lock(self.engine, root)):
            self.lock(root, level='all')
            lock_id = self.id_of(root)
            end()
            self.assertEqual((lock_id, {root: lock_id}),
                             (self.id_of(root), self.entries()))

    def pages(self, count, **wanted):
        """Read the list page by page, and return the ids of the stacks."""
        pages, marker = [], None
        while True:
            rows = lock_list.read_rows(self.context, count, marker, **wanted)
            pages.append([row.of_stack for row in rows])
            if len(rows) < count:
                return pages
            marker = rows[-1].lock_id

    def test_pages_contain_only_locks_in_effect(self):
        roots = [self.stacks.add_tree(1, 1)[0] for _ in range(5)]
        other = self.stacks.add_stack(tenant='other')
        for root in (*roots, other):
            self.lock(root)
        by_id = sorted((*roots, other), key=self.entries().get)
        own_ids = [id for id in by_id if id != other]
        self.assertEqual([by_id[:2], by_id[2:4], by_id[4:], []],
                         self.pages(2))
        self.assertEqual([own_ids[:2], own_ids[2:4], own_ids[4:]],
                         self.pages(2, project=stack_rows.PROJECT))
        # Stacks unlocked since, and stale rows of the table, are skipped.
        self.write(own_ids[1], lock_level=None, lock_id=None)
        self.write(own_ids[2], deleted_at=datetime.datetime(2026, 11, 20))
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(models.guard_table).where(
                models.guard_table.c.stack_id == own_ids[4])
                .values(level='all'))
            connection.execute(sqlalchemy.insert(models.guard_table).values(
                id='0', stack_id='gone', project=stack_rows.PROJECT,
                kind=models.LOCK))
        self.assertEqual([[own_ids[0], own_ids[3]], [own_ids[4]]],
                         self.pages(2, project=stack_rows.PROJECT))
        self.assertEqual([[own_ids[4]]], self.pages(2, level='all'))

    def test_level_filter_needs_one_statement(self):
        for _ in range(9):
            self.lock(self.stacks.add_stack())
        with statements.Statements(self.engine) as sent:
            self.assertEqual([[]], self.pages(1, level='all'))
        self.assertEqual(1, len(sent.sent), sent.sent)

    def test_page_is_read_by_index(self):
        root = self.stacks.add_stack()
        self.lock(root)
        indexes = sqlalchemy.inspect(self.engine).get_indexes(
            'heat_extras_guard')
        self.assertIn(['project', 'id'],
                      [index['column_names'] for index in indexes])
        with statements.Statements(self.engine) as sent:
            self.assertEqual([[root]], self.pages(2))
        self.assertEqual(1, len(sent.sent), sent.sent)

    def test_concurrent_unlock_does_not_remove_newer_lock(self):
        root = self.stacks.add_stack()
        threads = self.useFixture(race.Threads())
        for _ in range(5):
            self.lock(root)
            lock_id = self.id_of(root)
            attempts = [threads.start(self.unlock, root, lock_id),
                        threads.start(self.lock, root, self.new_context()),
                        threads.start(self.unlock, root, lock_id)]
            failures = [attempt.exception() for attempt in attempts]
            self.assertLessEqual(
                {type(failure) for failure in failures},
                {type(None), errors.StackLockConflict}, failures)
            self.assertIsNone(failures[1])
            self.assertIn(errors.StackLockConflict,
                          [type(failures[0]), type(failures[2])])
            self.assertNotIn(self.id_of(root), (None, lock_id))
            self.assertEqual({root: self.id_of(root)}, self.entries())
