# SPDX-License-Identifier: Apache-2.0

"""A Heat database with a locked stack, used by Heat's own db.api."""

import fixtures
from heat.common import context as heat_context
from heat.db import api as db_api
from oslo_db.sqlalchemy import enginefacade
import sqlalchemy

from heat_extras.db import stack_columns
from tests.unit.db import base
from tests.unit.stack_lock.resource_locks import fakes


class Database(fixtures.Fixture):
    """SQLite with the rows of fake stacks.

    :ivar context: the context of an administrator.
    """

    def _setUp(self):
        self.heat = self.useFixture(base.HeatDatabase(extended=True))
        stack_columns.map_stack_columns()
        manager = enginefacade.transaction_context()
        manager.configure(connection=self.heat.url)
        self.useFixture(fixtures.MockPatchObject(
            db_api, 'context_manager', manager))
        self.context = heat_context.RequestContext(is_admin=True)

    def add(self, stack, **columns):
        """Write the row of a fake stack.

        :param columns: columns of the row of its lock.
        """
        (template_id,) = self.heat.insert('raw_template', {})
        self.heat.insert('stack', {
            'id': stack.id, 'name': stack.name, 'lock_level': 'all',
            'lock_id': f'lock-of-{stack.id}',
            'raw_template_id': template_id, 'convergence': True,
            'disable_rollback': True})
        self.heat.add_guard(stack.id, id=f'lock-of-{stack.id}', kind='lock',
                            level='all', **columns)
        return stack

    def change(self, stack, **columns):
        """Change the row of the lock of a fake stack, or its level."""
        guard, table = map(self.heat.table, ('heat_extras_guard', 'stack'))
        with self.heat.engine.begin() as connection:
            connection.execute(sqlalchemy.update(guard).where(
                guard.c.stack_id == stack.id).values(**columns))
            if 'level' in columns:
                connection.execute(sqlalchemy.update(table).where(
                    table.c.id == stack.id).values(
                        lock_level=columns['level']))

    def resource(self, stack, name='server'):
        return stack.add(fakes.Resource, name)
