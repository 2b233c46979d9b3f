# SPDX-License-Identifier: Apache-2.0

import types

from oslo_messaging.rpc import dispatcher

from heat_extras.freeze import errors
from heat_extras.freeze import rpc_check
from heat_extras.heat_internals import parent_call
from tests.unit.freeze import test_check

ROW = types.SimpleNamespace(id='1234', name='web', tenant='p1', owner_id=None)


class RpcCheckTest(test_check.FreezeTestCase):
    def ask(self, operation, row=ROW):
        with rpc_check.set_operation(self.context, operation):
            rpc_check.check_row(self.context, row)
            return rpc_check.windows_ignoring_signal()

    def refused(self, operation, *arguments):
        # The RPC server does not log an expected exception.
        error = self.assertRaises(dispatcher.ExpectedException, self.ask,
                                  operation, *arguments)
        self.assertIsInstance(error.exc_info[1], errors.StackFrozen)

    def test_new_operation_is_rejected(self):
        self.freeze()
        self.refused('update')
        self.ask(None)
        rpc_check.check_row(self.context, ROW)

    def test_project_of_stack_is_checked_not_of_caller(self):
        self.freeze(projects='[p2]')
        self.ask('update')
        self.refused('update', types.SimpleNamespace(
            **{**vars(ROW), 'tenant': 'p2'}))

    def test_operation_that_started_before_freeze_is_allowed(self):
        self.freeze()
        self.clock.advance_time_seconds(-1)
        with rpc_check.set_operation(self.context, 'update'):
            rpc_check.check_row(self.context, ROW)
            self.clock.advance_time_seconds(1)
            rpc_check.check_row(self.context, ROW)
        self.refused('update')

    def test_operation_of_parent_stack_is_allowed(self):
        self.freeze()
        parent_call.set_parent_call(self.context)
        self.ask('update')
        with rpc_check.check_create(self.context, 'web', None):
            pass

    def test_signal_is_ignored_not_rejected(self):
        self.freeze(operations='[signal]')
        ignoring, = self.ask('signal')
        self.assertEqual('test', ignoring.name)
        self.assertEqual((), rpc_check.windows_ignoring_signal())
        self.freeze(operations='[update]')
        self.assertEqual((), self.ask('signal'))

    def test_creation_is_rejected(self):
        self.freeze(projects='[p1]')
        error = self.assertRaises(dispatcher.ExpectedException,
                                  self.create, 'web')
        self.assertIn('Stack web is frozen', str(error.exc_info[1]))
        self.count.assert_called_once_with('', 'frozen', 'create',
                                           self.context)
        self.freeze(projects='[p2]')
        self.create('web')

    def create(self, name):
        with rpc_check.check_create(self.context, name, None):
            pass

    def test_migration_is_rejected(self):
        get = self.mock('freeze.rpc_check.stack_object.Stack.get_by_id',
                        return_value=ROW)
        self.freeze()
        self.assertRaises(dispatcher.ExpectedException, self.migrate)
        self.freeze(operations='[update]')
        self.migrate()
        self.freeze()
        # Heat reports that the stack does not exist.
        get.return_value = None
        self.migrate()

    def migrate(self):
        with rpc_check.check_migration(self.context, '1234'):
            pass
