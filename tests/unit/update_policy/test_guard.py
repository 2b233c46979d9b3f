# SPDX-License-Identifier: Apache-2.0

"""Tests of the start of an update and a rollback, with both engines."""

from unittest import mock

import fixtures
import testtools

from heat_extras import guard as guards
from heat_extras.heat_internals import object_data
from heat_extras.plan import errors
from heat_extras.plan import reviewed_plan
from heat_extras.update_policy import guard
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import update_check


class _Stack:
    """The attributes of Heat's Stack that the mixin uses."""

    IN_PROGRESS = 'IN_PROGRESS'
    id, action, status = '1', 'UPDATE', 'COMPLETE'
    convergence = True
    current_traversal, prev_raw_template_id = 'update', 7


class StackTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.stack = _Stack()
        for module, name in ((policy_flag, 'propagate_flag'),
                             (update_check, 'reject_if_forbidden'),
                             (rollback_check, 'record_state')):
            setattr(self, f'mock_{name}', self.useFixture(
                fixtures.MockPatchObject(module, name)).mock)
        self.mock_reject_if_forbidden.return_value = False

        self.guard = guard.UpdatePolicyGuard()

    def converge(self, action):
        self.stack.action = action
        self.guard.begin_traversal(self.stack)

    def test_convergence_rollback_records_undone_update(self):
        def rollback():
            self.stack.current_traversal = 'back'
            self.converge('ROLLBACK')

        self.guard.roll_back(self.stack, rollback)
        self.mock_record_state.assert_called_once_with(
            self.stack, rollback_check.RolledBack('update', 'UPDATE'))
        self.converge('UPDATE')
        self.mock_record_state.assert_called_with(self.stack, None)

    def test_other_actions_record_no_state(self):
        for action in ('CREATE', 'DELETE', 'CHECK', 'SUSPEND'):
            self.converge(action)
        self.mock_record_state.assert_not_called()

    def store(self, status, template_id):
        self.stack.status = status
        self.stack.prev_raw_template_id = template_id
        self.assertEqual('1', self.guard.store(self.stack, lambda: '1'))

    def update_task(self, action, *stores, newstack=None):
        def run():
            self.stack.action = action
            for status, template_id in stores:
                self.store(status, template_id)
            yield

        self.stack.convergence = False
        start = guards.Start(None, None, action,
                             newstack or mock.Mock(spec=['t']),
                             {'notify': mock.Mock()})
        list(self.guard.run_legacy_update(self.stack, start, run))

    def test_legacy_update_records_state_at_first_store(self):
        self.update_task('UPDATE', ('IN_PROGRESS', 7), ('IN_PROGRESS', 8),
                         ('IN_PROGRESS', 8), ('COMPLETE', 8))
        self.mock_record_state.assert_called_once_with(self.stack, None)

    def test_legacy_rollback_records_undone_update(self):
        self.update_task('ROLLBACK', ('IN_PROGRESS', 9))
        self.mock_record_state.assert_called_once_with(
            self.stack, rollback_check.RolledBack('template 7', 'UPDATE'))

    def test_update_with_outdated_plan_does_not_start(self):
        new, row = mock.Mock(spec=['t']), mock.Mock(action='CHECK')
        self.stack.context, self.stack.name = None, 's'
        update = reviewed_plan.ReviewedUpdate(mock.Mock(), self.stack)
        object_data.of_stack(new).reviewed_update = update
        for function in (reviewed_plan.preview.compute_revision,
                         reviewed_plan.stack_object.Stack.get_by_id):
            self.useFixture(fixtures.MockPatch(
                f'{function.__module__}.{function.__qualname__}',
                return_value=row))
        self.update_task('UPDATE', ('FAILED', 8), newstack=new)
        self.assertRaises(errors.PlanNotApplicable, update.check_start)
        # Heat can write the state of the stack afterwards.
        self.assertEqual(('CHECK', row.status),
                         (self.stack.action, self.stack.status))

    def test_rejected_update_records_no_state(self):
        self.update_task('UPDATE', ('FAILED', 8))
        self.mock_record_state.assert_not_called()
