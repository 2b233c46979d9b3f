# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import tree_rows


class ConflictTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.stack = mock.Mock(id='1')
        self.stack.name = 'web'

    def test_busy_tree_error_names_five_operations(self):
        busy = lock_transaction.TreeBusy(
            [tree_rows.Blocker(f'stack {number}') for number in range(9)])
        with mock.patch.object(lock_transaction, 'lock_tree',
                               side_effect=busy), mock.patch.object(
                lock_request.heartbeat, 'find_down', return_value=()):
            error = self.assertRaises(
                errors.StackLockConflict, lock_request.lock_tree, mock.Mock(),
                self.stack, mock.Mock(engine_id='a'), mock.Mock())
        self.assertIn('Stack web (1) cannot be locked now, because operations '
                      'are in progress: stack 0; ',
                      str(error))
        self.assertIn('stack 4; and 4 more. The stack was not changed.',
                      str(error))

    def test_conflict_advice_depends_on_lock_state(self):
        context = mock.Mock()
        context.policy.enforce.return_value = True
        for state, advice in (
                (('LOCK', 'IN_PROGRESS'), 'Wait until the operation ends'),
                (('UNLOCK', 'IN_PROGRESS'), 'Wait until the operation ends'),
                (('UNLOCK', 'FAILED'), 'Unlock the stack first.')):
            action, status = state
            error = self.assertRaises(
                errors.StackLockConflict,
                lock_request.transaction_check(context, self.stack, 'LOCK'),
                lock_record.Lock(level='all', action=action, status=status))
            self.assertIn(
                f'LOCK of stack web (1) is not allowed while its lock is '
                f'{action}_{status}. The lock was not changed. {advice}',
                str(error))
