# SPDX-License-Identifier: Apache-2.0

"""The writes of lock and unlock, on every database."""

import datetime
from unittest import mock

from heat.common import exception
from heat.db import models
from oslo_config import cfg
from oslo_utils import timeutils

from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.database import base
from tests.database import statements

LOCK_COLUMNS = ('lock_level', 'lock_id')
TREES = {'alone': (0, 0), 'three levels': (2, 2), 'fifty': (49, 3)}


def own_columns(row):
    """Return Heat's columns of a row of ``stack``."""
    values = dict(row._mapping)
    for name in LOCK_COLUMNS:
        del values[name]
    return values


class LockTest(base.DatabaseTest):

    def events(self):
        return [(event.stack_id, event.resource_action,
                 event.resource_status, event.resource_status_reason)
                for event in self.stacks.rows(models.Event)]

    def assert_locked(self, row, level='stacks'):
        lock = self.guard(row.lock_id)
        age = timeutils.utcnow() - lock.set_at
        self.assertLess(abs(age), datetime.timedelta(minutes=10))
        self.assertEqual(
            (level, level, 'LOCK', 'COMPLETE', 'db move', 'alice', 'demo',
             'member', None),
            (row.lock_level, lock.level, lock.action, lock.status,
             lock.reason, lock.set_by, lock.set_by_project, lock.rank,
             lock.engine_id))

    def check_lock(self, ids, traversal_changes=True):
        before = {id: self.stack(id) for id in ids}
        outcome = self.lock(ids[0])
        self.assertEqual(ids[0], outcome.stack_ids[0])
        self.assertEqual(sorted(ids), sorted(outcome.stack_ids))
        self.assertIsNone(outcome.root.lock_level)
        for id in ids:
            self.assert_locked(self.stack(id))
            self.check_own_columns(before[id], traversal_changes)
        for resource in self.stacks.rows(models.Resource):
            self.assertEqual(9, resource.atomic_key)
        self.assertEqual([], self.stacks.rows(models.StackLock))

    def check_own_columns(self, before, traversal_changes):
        after = own_columns(self.stack(before.id))
        before = own_columns(before)
        traversals = before.pop('current_traversal'), after.pop(
            'current_traversal')
        self.assertEqual(traversal_changes, traversals[0] != traversals[1])
        self.assertEqual(before, after)

    def test_lock_changes_every_stack_but_no_heat_columns(self):
        for name, (nested, levels) in TREES.items():
            with self.subTest(name):
                self.database.empty()
                self.check_lock(self.stacks.add_tree(nested, levels))

    def test_legacy_stacks_get_no_traversal(self):
        ids = self.stacks.add_tree(2, 2, convergence=False,
                                   current_traversal=None)
        self.check_lock(ids, traversal_changes=False)

    def test_missing_atomic_key_is_set(self):
        root = self.stacks.add_stack()
        resource = self.stacks.add_resource(root, atomic_key=None)
        self.lock(root)
        self.assertEqual(
            2, self.stacks.row(models.Resource, resource).atomic_key)

    def test_other_stack_trees_are_not_changed(self):
        other = self.stacks.add_tree(2, 2)
        rows = [self.stack(id) for id in other]
        resources = self.stacks.rows(models.Resource)
        self.lock(self.stacks.add_tree(2, 2)[0])
        self.assertEqual(rows, [self.stack(id) for id in other])
        self.assertEqual(
            resources,
            self.stacks.rows(models.Resource)[:len(resources)])

    def test_deleted_nested_stacks_are_not_locked(self):
        root = self.stacks.add_stack()
        gone = self.stacks.add_stack(root, deleted_at=timeutils.utcnow())
        self.assertEqual([root], self.lock(root).stack_ids)
        self.assertFalse(self.is_locked(gone))

    def test_deleted_stack_is_not_found(self):
        root = self.stacks.add_stack(deleted_at=timeutils.utcnow())
        before = self.stacks.dump()
        self.assertRaises(exception.EntityNotFound, self.lock, root)
        self.assertEqual(before, self.stacks.dump())

    def test_second_lock_changes_level(self):
        ids = self.stacks.add_tree(2, 2)
        self.lock(ids[0])
        done = self.lock(ids[0], level='all')
        self.assertTrue(done.is_pending)
        for id in ids:
            lock = self.lock_row(id)
            self.assertEqual(
                ('all', 'LOCK', 'IN_PROGRESS', base.ENGINE),
                (self.stack(id).lock_level, lock.action, lock.status,
                 lock.engine_id))
        lock_transaction.finish_tree(self.context, ids[0], 'LOCK',
                                     done.operation_id)
        for id in ids:
            self.assert_locked(self.stack(id), 'all')

    def test_lock_failed_by_other_engine_is_not_finished(self):
        ids = self.stacks.add_tree(2, 2)
        done = self.lock(ids[0], level='all')
        self.fail_dead_engine()
        self.assertEqual({('all', 'LOCK', 'FAILED', None)}, {
            (self.stack(id).lock_level, lock.action, lock.status,
             lock.engine_id) for id in ids for lock in [self.lock_row(id)]})
        event = self.stacks.rows(models.Event, stack_id=ids[0])[-1]
        self.assertEqual(('LOCK', 'FAILED'), (
            event.resource_action, event.resource_status))
        self.assertIn('engine stopped', event.resource_status_reason)
        before = self.stacks.dump()
        self.fail_dead_engine()
        self.assertIsNone(lock_transaction.finish_tree(self.context, ids[0],
                                                       'LOCK',
                                                       done.operation_id))
        self.assertEqual(before, self.stacks.dump())

    def test_superseded_lock_of_same_engine_is_not_finished(self):
        ids = self.stacks.add_tree(2, 2)
        done = self.lock(ids[0], level='all')
        self.fail_dead_engine()
        again = self.lock(ids[0], level='all')
        before = self.stacks.dump()
        self.assertIsNone(lock_transaction.finish_tree(self.context, ids[0],
                                                       'LOCK',
                                                       done.operation_id))
        self.assertEqual(before, self.stacks.dump())
        stale, valid = (resource_table.Token(self.context, ids[0],
                                             each.operation_id)
                        for each in (done, again))
        self.assertRaises(resource_table.Superseded,
                          resource_table.replace_rows, stale, {},
                          deleted=[1])
        self.assertEqual((True, False),
                         (stale.is_superseded(), valid.is_superseded()))
        resource_table.replace_rows(valid, {}, deleted=[1])

    def protected(self, root):
        """Lock with level ``all`` and store one resource as protected."""
        id = self.stacks.add_resource(root)
        done = self.lock(root, level='all')
        resource = mock.Mock(
            id=id, stack=mock.Mock(id=root), resource_id='of-nova')
        resource.configure_mock(name='web')
        resource.type.return_value = 'OS::Nova::Server'
        resource_table.replace_rows(
            resource_table.Token(self.context, root, done.operation_id),
            {resource: (resource_states.PROTECTED, None)})
        lock_transaction.finish_tree(self.context, root, 'LOCK',
                                     done.operation_id)

    def noted(self, root):
        return [row.state for row
                in resource_table.read_tree(self.context, root).values()]

    def test_protection_is_unknown_after_failed_level_change(self):
        root = self.stacks.add_stack()
        self.protected(root)
        self.lock(root, level='all')
        done = self.lock(root)
        self.assertEqual([resource_states.PROTECTED], self.noted(root))
        resource_table.mark_releasing(resource_table.Token(
            self.context, root, done.operation_id), [])
        self.fail_dead_engine()
        self.lock(root, level='all')
        self.assertEqual([resource_states.LOCKING], self.noted(root))

    def test_failed_lock_keeps_stack_tree_locked(self):
        ids = self.stacks.add_tree(2, 2)
        done = self.lock(ids[0], level='all')
        lock_transaction.finish_tree(self.context, ids[0], 'LOCK',
                                     done.operation_id,
                                     failure='no rights')
        for id in ids:
            lock = self.lock_row(id)
            self.assertEqual(('all', 'FAILED', 'no rights', None),
                             (self.stack(id).lock_level, lock.status,
                              lock.status_reason, lock.engine_id))

    def test_lock_adds_event_for_each_stack(self):
        ids = self.stacks.add_tree(2, 2)
        self.lock(ids[0])
        self.assertEqual(
            [(ids[0], 'LOCK', 'IN_PROGRESS',
              'Stack LOCK started. Requested by alice'),
             (ids[0], 'LOCK', 'COMPLETE',
              f'{events.LOCKED} (level stacks): db move')],
            self.events()[:2])
        self.assertEqual(
            sorted((id, 'LOCK', 'COMPLETE') for id in ids[1:]),
            sorted(event[:3] for event in self.events()[2:]))

    def test_unlock_keeps_only_shown_status(self):
        for overlay, is_shown in ('off', False), ('full', True):
            cfg.CONF.set_override('status_overlay', overlay, 'heat_extras')
            self.check_unlock(is_shown)

    def check_unlock(self, is_shown):
        ids = self.stacks.add_tree(4, 2)
        self.lock(ids[0])
        before = {id: own_columns(self.stack(id)) for id in ids}
        count = len(self.events())
        lock_transaction.unlock_tree(self.context, ids[0], base.allow)
        for id in ids:
            row = self.stack(id)
            self.assertEqual(before[id], own_columns(row))
            self.assertEqual(
                (None, None, is_shown, None),
                (row.lock_level, row.lock_passing, row.lock_id is not None,
                 self.guard(row.lock_id)))
        self.assertEqual(len(ids) + 1, len(self.events()) - count)

    def test_failed_check_changes_nothing(self):
        ids = self.stacks.add_tree(2, 2)

        def refuse(lock):
            raise exception.Forbidden()

        def refused(function, *arguments):
            before = self.stacks.dump()
            self.assertRaises(exception.Forbidden, function, *arguments)
            self.assertEqual(before, self.stacks.dump())

        refused(lambda: self.lock(ids[0], check=refuse))
        self.lock(ids[0])
        refused(lock_transaction.unlock_tree, self.context, ids[0], refuse)
        refused(self.begin_unlock, ids[0], refuse)

    def test_isolation_level_is_restored(self):
        root = self.stacks.add_stack()
        before = self.isolation_level()
        self.lock(root)
        self.assertEqual(before, self.isolation_level())

    def isolation_level(self):
        with self.engine.connect() as connection:
            return connection.get_isolation_level()


class StatementsTest(base.DatabaseTest):

    def counts(self, nested):
        ids = self.stacks.add_tree(nested, min(nested, 3))
        counts = []
        for function in (
                lambda: self.lock(ids[0]),
                lambda: lock_transaction.unlock_tree(self.context, ids[0],
                                                     base.allow)):
            with statements.Statements(self.engine) as sent:
                function()
            counts.append(len(sent.sent))
        return counts

    def test_number_of_statements_does_not_depend_on_tree_size(self):
        alone = self.counts(1)
        self.assertEqual(alone, self.counts(10))
        self.assertEqual(alone, self.counts(200))
        self.addDetail('statements', base.text(
            'lock %d, unlock %d' % tuple(alone)))
