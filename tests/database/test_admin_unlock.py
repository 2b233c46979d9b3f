# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage unlock`` on each database."""

from unittest import mock

from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.cmd import unlock
from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.stack_lock import admin_unlock
from heat_extras.stack_lock.resource_locks import resource_states
from tests.database import base
from tests.database import stack_rows
from tests.harness import databases

ID = 'abcdef01-2345-6789-abcd-ef0123456789'


class AdminUnlockTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def locked(self, **values):
        stack_id = self.stacks.add_stack(**values)
        self.lock(stack_id)
        return stack_id

    def protect(self, stack_id):
        """Store a protected resource of the lock."""
        resource_id = self.stacks.add_resource(stack_id)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.insert(
                models.protection_table).values(
                    resource_id=resource_id,
                    stack_id=stack_id, root_id=stack_id,
                    resource_name='server', resource_type='OS::Nova::Server',
                    physical_resource_id='s', updated_at=timeutils.utcnow(),
                    state=resource_states.PROTECTED))

    def find_root(self, name_or_id):
        return unlock.find_root(self.engine, name_or_id, 'list-locks')

    def shown(self, stack_id):
        row = self.lock_row(stack_id)
        return row and (row.action, row.status)

    def test_id_takes_precedence_over_equal_name(self):
        # Which a customer can give to one, wherever an id begins with a
        # letter.
        self.locked(id=ID)
        self.stacks.add_stack(name=ID, tenant='other')
        self.assertEqual(stack_rows.PROJECT, self.find_root(ID).tenant)

    def test_name_is_case_sensitive(self):
        for name in ('web', 'WEB'):
            self.stacks.add_stack(name=name)
        self.assertEqual('WEB', self.find_root('WEB').name)

    def test_name_that_is_not_storable_is_not_found(self):
        error = self.assertRaises(unlock.NoRootStack, self.find_root,
                                  'w\udcff')
        self.assertIn('No root stack has the ID or name', str(error))

    def test_unlock_is_rejected_if_stack_was_deleted(self):
        root = self.find_root(self.locked())
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(
                heat_models.Stack.__table__).values(
                    deleted_at=timeutils.utcnow()))
        error = self.assertRaises(admin_unlock.NotUnlocked,
                                  admin_unlock.unlock, root)
        self.assertIn('was deleted in the meantime', str(error))

    def test_unlock_fails_if_lock_was_reset_during_it(self):
        stack_id = self.locked()
        self.protect(stack_id)
        root = self.find_root(stack_id)

        def release(own, root):
            operator_locks.reset_lock(self.engine, stack_id)
            return None, None

        with mock.patch.object(admin_unlock, '_release_resources', release):
            error = self.assertRaises(admin_unlock.NotUnlocked,
                                      admin_unlock.unlock, root)
        self.assertIn('ended by another request', str(error))
        self.assertEqual(('UNLOCK', 'FAILED'), self.shown(stack_id))
