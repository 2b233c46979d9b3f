# SPDX-License-Identifier: Apache-2.0

"""Operations of dead engines end once, with an event and a notification."""

import fixtures
from heat.db import models
from heat.engine import resources
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.lifecycle import convergence
from tests.database import base
from tests.harness import databases

_EMPTY = {'heat_template_version': '2018-08-31'}
_stack, _event = models.Stack.__table__, models.Event.__table__


class DeadEngineOperationTest(base.DatabaseTest):

    scenarios = databases.ONE_ISOLATION

    def setUp(self):
        super().setUp()
        resources.initialise()
        self.sent = self.useFixture(fixtures.MockPatch(
            'heat.engine.notification.stack.send')).mock

    def stack(self, action):
        """Return a stack that a dead engine left in progress."""
        template = self.stacks.insert(
            models.RawTemplate, template=_EMPTY, environment={})
        stack_id = self.stacks.add_stack(
            raw_template_id=template, action=action, status='IN_PROGRESS')
        return heat_stack.Stack.load(self.context, stack_id=stack_id)

    def assert_ended(self, stack, status, reason):
        end = (stack.action, status, reason)
        with self.engine.connect() as connection:
            self.assertEqual(end, tuple(connection.execute(sqlalchemy.select(
                _stack.c.action, _stack.c.status, _stack.c.status_reason)
                .where(_stack.c.id == stack.id)).one()))
            self.assertEqual([end], [tuple(row) for row in connection.execute(
                sqlalchemy.select(
                    _event.c.resource_action, _event.c.resource_status,
                    _event.c.resource_status_reason)
                .where(_event.c.stack_id == stack.id))])
        self.assertEqual(1, self.sent.call_count)
        self.sent.reset_mock()

    def test_failure_is_recorded_with_event_and_notification(self):
        for action in 'SUSPEND', 'RESUME', 'CHECK', 'SNAPSHOT', 'DELETE':
            stack = self.stack(action)
            convergence.fail_not_begun(stack, action, 'dead')
            self.assert_ended(stack, 'FAILED', 'dead')

    def test_success_is_recorded_with_event_and_notification(self):
        for action in 'SUSPEND', 'RESUME', 'DELETE':
            stack = self.stack(action)
            stack.mark_complete()
            convergence.persist_deferred_state(stack)
            self.assert_ended(stack, 'COMPLETE',
                              f'Stack {action} completed successfully')

    def test_later_operation_is_not_changed(self):
        stack = self.stack('SUSPEND')
        stack.current_traversal = 'before'
        convergence.fail_not_begun(stack, 'SUSPEND', 'dead')
        with self.engine.connect() as connection:
            self.assertEqual('IN_PROGRESS', connection.scalar(
                sqlalchemy.select(_stack.c.status)
                .where(_stack.c.id == stack.id)))
