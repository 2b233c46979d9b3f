# SPDX-License-Identifier: Apache-2.0

"""Stack states after a denied action, on each database."""

import dataclasses
import types
from unittest import mock

from heat.common import exception
from oslo_messaging.rpc import dispatcher
import sqlalchemy

from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras import rpc_request
from tests.database import base

CREATED = ('CREATE', 'COMPLETE')


class DeniedActionTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.stack_id = self.stacks.add_stack()
        self.show('DELETE', 'FAILED')

    def show(self, action, status):
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(pre_post._stack)
                .where(pre_post._stack.c.id == self.stack_id)
                .values(action=action, status=status))
        self.now = types.SimpleNamespace(
            id=self.stack_id, context=self.context, action=action,
            status=status)

    def state(self):
        with self.engine.connect() as connection:
            return tuple(connection.execute(sqlalchemy.select(
                pre_post._stack.c.action, pre_post._stack.c.status)
                .where(pre_post._stack.c.id == self.stack_id)).one())

    def insert(self, number, prior=CREATED):
        operation = operation_table.Operation(
            id=str(number), stack_id=self.stack_id, action='DELETE',
            engine_id='here', prior=prior)
        operation_table.insert_row(self.context, operation)
        return operation

    def abort(self, operation):
        return operation_table.take_over(self.context, operation, 'here',
                                         True, operation_table.ABORT)

    def deny(self, number=1, prior=CREATED):
        operation = self.abort(self.insert(number, prior))
        for _twice in range(2):
            operation_table.delete_row(self.context, operation, 'here')
        return operation

    def begin(self, number):
        operation = self.insert(number)
        self.assertTrue(operation_table.set_running(self.context, operation,
                                                    None))
        return dataclasses.replace(operation, phase=operation_table.RUNNING)

    def rows(self):
        with self.engine.connect() as connection:
            return sorted(connection.execute(sqlalchemy.select(
                operation_table._table.c.id, operation_table._table.c.phase)))

    def update(self):
        """Update the stack as Heat does."""
        if self.state()[0] == 'DELETE':
            try:
                raise exception.NotSupported(feature='Updating a stack when '
                                                     'it is deleting')
            except exception.NotSupported:
                raise dispatcher.ExpectedException() from None
        return 'updated'

    def updated(self):
        return pre_post.process_update(rpc_request.Request(
            'update', self.context, arguments={
                'stack_identity': {'stack_id': self.stack_id}}), self.update)

    def test_update_restores_state_before_denied_delete(self):
        for number in 1, 2:
            self.deny(number)
        self.assertEqual([('2', 'denied')], self.rows())
        self.assertEqual([], operation_table.list_operations(self.context))
        self.assertEqual(('DELETE', 'FAILED'), self.state())
        self.assertEqual(CREATED,
                         pre_post.state_before(self.now, 'DELETE'))
        self.assertEqual('updated', self.updated())
        self.assertEqual(CREATED, self.state())

    def test_update_restores_state_during_post_call(self):
        self.abort(self.insert(1))
        self.assertEqual(CREATED,
                         pre_post.state_before(self.now, 'DELETE'))
        self.assertEqual('updated', self.updated())

    def test_update_is_rejected_after_started_delete(self):
        operation_table.delete_row(self.context, self.begin(1), 'here')
        self.assertEqual([], self.rows())
        self.assertRaises(dispatcher.ExpectedException, self.updated)

    def test_update_is_rejected_after_later_started_delete(self):
        waiting = self.insert(1)
        self.deny(2)
        operation_table.delete_row(self.context, self.begin(3), 'here')
        self.assertEqual([('1', 'pre')], self.rows())
        operation_table.delete_row(self.context, self.abort(waiting), 'here')
        self.assertEqual([], self.rows())
        self.assertRaises(dispatcher.ExpectedException, self.updated)
        self.assertEqual(('DELETE', 'FAILED'),
                         pre_post.state_before(self.now, 'DELETE'))

    def test_update_is_rejected_if_delete_starts_during_it(self):
        self.deny()
        find = pre_post._find_denied

        def find_and_begin(*arguments):
            row = find(*arguments)
            self.begin(2)
            return row

        with mock.patch.object(pre_post, '_find_denied', find_and_begin):
            self.assertRaises(dispatcher.ExpectedException, self.updated)
        self.assertEqual(('DELETE', 'FAILED'), self.state())

    def test_superseded_delete_does_not_prevent_update(self):
        self.deny()
        operation_table.delete_row(self.context, self.insert(2), 'here')
        self.assertEqual('updated', self.updated())
