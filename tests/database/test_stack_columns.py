# SPDX-License-Identifier: Apache-2.0

"""The heat-extras columns of Heat's objects, and their cost."""

from heat.db import api as db_api
from heat.db import models
from heat.objects import stack as stack_object
import sqlalchemy

from heat_extras.db import models as our_models
from heat_extras.db import stack_columns
from tests.database import base
from tests.database import statements
from tests.harness import databases

NAMES = [column.name for column in our_models.stack_columns()
         if column.name != 'delete_intents']
NOTHING = dict.fromkeys(NAMES)
LOCKED = {'lock_level': 'all',
          'lock_id': '0d4cf1c5-1a52-4a2c-b8dc-2f6a4c1b60f3'}
PARAMETERS = {'updatable': {'key "name"': False, 'size': True}}


class MappingTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def add_template(self):
        return self.stacks.insert(
            models.RawTemplate, template={}, environment={}, files={})

    def add_stack(self, **values):
        return self.stacks.add_stack(raw_template_id=self.add_template(),
                                     **values)

    def objects(self, stack_id):
        """Read a stack in each way that Heat does."""
        name = self.stack(stack_id).name
        return [
            stack_object.Stack.get_by_id(self.context, stack_id),
            stack_object.Stack.get_by_id(self.context, stack_id,
                                         eager_load=False),
            stack_object.Stack.get_by_name_and_owner_id(
                self.context, name, None),
            *stack_object.Stack.get_all(self.context,
                                        filters={'id': stack_id})]

    def check(self, **values):
        stack_id = self.add_stack(**values)
        for stack in self.objects(stack_id):
            self.assertEqual(
                NOTHING | values,
                stack_columns.get_columns(stack)._asdict())

    def test_stack_without_values(self):
        self.check()

    def test_lock_columns(self):
        self.check(**LOCKED)

    def test_updatable_column(self):
        self.check(**PARAMETERS)

    def test_update_policy_column(self):
        self.check(has_update_policy=True)
        self.check(has_update_policy=False)

    def test_all_columns(self):
        for has_policy in (True, False):
            self.check(**LOCKED, **PARAMETERS, has_update_policy=has_policy)

    def test_refreshed_object_has_new_columns(self):
        stack_id = self.add_stack()
        stack = stack_object.Stack.get_by_id(self.context, stack_id)
        self.lock(stack_id)
        self.assertIsNone(stack_columns.get_columns(stack).lock_level)
        stack.refresh()
        self.assertEqual('stacks',
                         stack_columns.get_columns(stack).lock_level)

    def test_created_object_has_columns(self):
        created = stack_object.Stack.create(self.context, {
            'name': 'new', 'tenant': 'demo', 'disable_rollback': True,
            'raw_template_id': self.add_template(),
            'has_update_policy': False, **PARAMETERS})
        self.assertEqual(
            NOTHING | PARAMETERS | {'has_update_policy': False},
            stack_columns.get_columns(created)._asdict())

    def test_six_columns_are_loaded_with_stack(self):
        stack_id = self.add_stack(**LOCKED)
        with statements.Widths(self.engine) as widths:
            db_api.stack_get(self.context, stack_id, eager_load=False)
        heats = set(models.Stack.__table__.columns.keys()) - {
            column.name for column in our_models.stack_columns()}
        self.assertEqual([len(heats) + 6], widths.columns)

    def test_row_can_be_read_like_object(self):
        row = db_api.stack_get(self.context, self.add_stack(**LOCKED))
        self.assertEqual(NOTHING | LOCKED,
                         stack_columns.get_columns(row)._asdict())

    def test_query_can_filter_by_lock_level(self):
        locked = self.add_stack(**LOCKED)
        self.add_stack()
        with db_api.context_manager.reader.using(self.context) as session:
            self.assertEqual([locked], list(session.scalars(
                sqlalchemy.select(models.Stack.id).where(
                    models.Stack.lock_level.is_not(None)))))
