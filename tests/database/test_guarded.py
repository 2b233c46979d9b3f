# SPDX-License-Identifier: Apache-2.0

"""What engines keep of templates while their features are off."""

import fixtures
from heat.db import models

from heat_extras.db import guarded
from heat_extras.template_syntax import idle
from tests.database import base
from tests.unit.db import test_guarded

COUNTS = {'parameters': 0, 'update_policy': 0, 'stack_lock': 0}


class GuardedTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.root = self.forest.add_stack()
        self.child = self.forest.add_stack(self.root)

    def say(self, stack_id, template):
        table = models.RawTemplate.__table__
        stack = models.Stack.__table__
        used = stack.select().with_only_columns(
            stack.c.raw_template_id).where(stack.c.id == stack_id)
        with self.engine.begin() as connection:
            connection.execute(
                table.update().where(table.c.id.in_(used))
                .values(template=template))

    def counts(self):
        with self.engine.connect() as connection:
            self.assertTrue(guarded.is_there(connection))
            return {feature: guarded.count(connection, feature)
                    for feature in guarded.FEATURES}

    def test_what_is_said_while_off_is_found_and_counted(self):
        self.assertEqual(COUNTS, self.counts())
        self.say(self.child, test_guarded.STAYS | test_guarded.ALLOWS)
        idle._write(guarded.mark, self.child)
        idle._write(guarded.write_updatable, self.child, idle._flags)
        self.lock(self.root)
        self.assertEqual({'parameters': 1, 'update_policy': 1,
                          'stack_lock': 1}, self.counts())
        with self.engine.connect() as connection:
            row, = guarded.some(connection, 'update_policy', 10)
            self.assertEqual(self.child, row.id)
            self.assertEqual(1, guarded.count_templates(connection))

    def test_nothing_is_written_where_nothing_of_ours_is(self):
        self.useFixture(fixtures.MockPatchObject(
            guarded, 'is_there', return_value=False))
        idle._write(lambda *args: self.fail('written'), self.root)
