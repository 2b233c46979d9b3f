# SPDX-License-Identifier: Apache-2.0

import datetime

from sqlalchemy import sql
import testtools

from heat_extras.db import tree_queries
from tests.unit.db import base

GONE = {'deleted_at': datetime.datetime(2026, 1, 1)}


class StackTreeTest(testtools.TestCase):
    """A tree of three levels, one deleted branch, and a stack beside it."""

    def setUp(self):
        super().setUp()
        database = self.useFixture(base.HeatDatabase(extended=True))
        self.connection = database.engine.connect()
        self.addCleanup(self.connection.close)
        self.table = database.table('stack')
        for stack_id, owner_id, values in (
                ('root', None, {}), ('left', 'root', {}),
                ('leaf', 'left', {}), ('right', 'root', GONE),
                ('orphan', 'right', {}), ('other', None, {})):
            database.add_stack(stack_id, owner_id=owner_id, **values)

    def ids(self, tree):
        return sorted(self.connection.scalars(sql.select(tree.c.id)))

    def inside(self, *tops, **options):
        return self.ids(tree_queries.select_subtree(
            self.table, self.table.c.id.in_(tops), **options))

    def test_subtree_includes_stack_and_descendants(self):
        self.assertEqual(['leaf', 'left'], self.inside('left'))
        self.assertEqual(['leaf', 'left', 'root'], self.inside('root'))

    def test_subtree_includes_deleted_stacks_on_demand(self):
        self.assertEqual(
            ['leaf', 'left', 'orphan', 'right', 'root'],
            self.inside('root', with_deleted=True))

    def test_subtree_of_several_stacks(self):
        self.assertEqual(['leaf', 'left', 'other'],
                         self.inside('left', 'other'))

    def test_missing_stack_has_no_subtree_and_ancestors(self):
        self.assertEqual([], self.inside('gone'))
        self.assertEqual([], self.ids(
            tree_queries.select_ancestors(self.table, 'gone')))

    def test_ancestors_include_stack_and_parents(self):
        self.assertEqual(
            ['leaf', 'left', 'root'],
            self.ids(tree_queries.select_ancestors(self.table, 'leaf')))

    def test_ancestors_have_requested_columns(self):
        tree = tree_queries.select_ancestors(self.table, 'left',
                                             ('id', 'owner_id', 'name'))
        self.assertEqual({('left', 'root', 'web'), ('root', None, 'web')},
                         set(map(tuple, self.connection.execute(
                             sql.select(tree)))))

    def test_root_id_of_nested_and_root_stack(self):
        for stack_id in ('leaf', 'root'):
            self.assertEqual('root', self.connection.scalar(
                tree_queries.select_root_id(self.table, stack_id)))
