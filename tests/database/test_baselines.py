# SPDX-License-Identifier: Apache-2.0

"""The data that is kept for a rollback, on each database."""

import threading

from heat.db import models
import sqlalchemy

from heat_extras.heat_internals import current_update
from tests.database import base

_STACK = models.Stack.__table__


class BaselineTest(base.DatabaseTest):

    def keep(self, stack_id, update, data, kind=current_update.RESOURCES):
        current_update.record_once(self.new_context(), stack_id, kind, update,
                                   lambda: data)

    def read(self, stack_id, update, kind=current_update.RESOURCES):
        return current_update.read_state(self.context, stack_id, kind, update)

    def test_first_record_of_update_is_kept(self):
        stack = self.stacks.add_stack()
        self.assertIsNone(self.read(stack, 'one'))
        self.keep(stack, 'one', {'a': 1})
        self.keep(stack, 'one', {'a': 2})
        self.assertEqual({'a': 1}, self.read(stack, 'one'))
        self.keep(stack, 'one', {'p': 0}, current_update.ROLLED_BACK)
        self.keep(stack, 'two', {'a': 3})
        self.assertEqual({'a': 3}, self.read(stack, 'two'))
        self.assertIsNone(self.read(stack, 'one'))
        self.assertEqual({'p': 0},
                         self.read(stack, 'one', current_update.ROLLED_BACK))

    def test_two_engines_record_baseline_at_once(self):
        stack = self.stacks.add_stack()
        both = threading.Barrier(2)

        def make():
            both.wait(30)
            return {'a': 1}

        def visit():
            current_update.record_once(self.new_context(), stack,
                                       current_update.RESOURCES, 'one', make)

        threads = [threading.Thread(target=visit) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual({'a': 1}, self.read(stack, 'one'))


class CurrentUpdateTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.root = self.stacks.add_stack()
        self.middle = self.stacks.add_stack(owner=self.root)
        self.leaf = self.stacks.add_stack(owner=self.middle)

    def set(self, stack_id, action, status='IN_PROGRESS', traversal=None,
            **values):
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(_STACK).where(_STACK.c.id == stack_id)
                .values(action=action, status=status,
                        current_traversal=traversal or 't-' + stack_id[:8],
                        **{'convergence': True, **values}))

    def of(self, stack_id):
        update = current_update.find_update(self.context, stack_id)
        return update.action, update.key

    def test_nested_stack_uses_update_of_root_stack(self):
        self.set(self.root, 'ROLLBACK', traversal='back')
        self.set(self.middle, 'UPDATE', traversal='m')
        self.set(self.leaf, 'UPDATE', 'COMPLETE', traversal='l')
        for stack_id in (self.root, self.middle, self.leaf):
            self.assertEqual(('ROLLBACK', 'back'), self.of(stack_id))
        current_update.record_once(
            self.context, self.root, current_update.ROLLED_BACK, 'back',
            lambda: 'update')
        self.assertEqual(('ROLLBACK', 'update'), self.of(self.leaf))
        self.set(self.root, 'UPDATE', traversal='next')
        self.assertEqual(('UPDATE', 'next'), self.of(self.leaf))
        self.set(self.root, 'RESTORE', traversal='restored')
        self.assertEqual(('RESTORE', 'restored'), self.of(self.leaf))

    def test_idle_ancestor_ends_search_for_update(self):
        self.set(self.root, 'ROLLBACK', traversal='back')
        self.set(self.middle, 'UPDATE', 'COMPLETE', traversal='m')
        self.set(self.leaf, 'UPDATE', traversal='l')
        self.assertEqual(('UPDATE', 'l'), self.of(self.leaf))
        self.set(self.leaf, 'ROLLBACK', traversal='l')
        self.assertEqual(('ROLLBACK', 'l'), self.of(self.leaf))
        self.set(self.middle, 'CHECK', traversal='m')
        self.assertEqual(('ROLLBACK', 'l'), self.of(self.leaf))

    def test_nested_rollback_uses_key_of_root_update(self):
        self.set(self.root, 'UPDATE', traversal='update')
        self.set(self.middle, 'ROLLBACK', traversal='m')
        self.assertEqual(('ROLLBACK', 'update'), self.of(self.middle))
        self.assertEqual(('UPDATE', 'update'), self.of(self.root))

    def test_legacy_stack_update_is_identified_by_template(self):
        self.set(self.root, 'UPDATE', convergence=False)
        self.assertEqual(('UPDATE', 'template None'), self.of(self.root))

    def test_stack_that_is_not_stored_has_no_update(self):
        self.assertEqual(('UPDATE', ''), self.of('no such id'))
        self.assertEqual(('UPDATE', ''), self.of(None))
