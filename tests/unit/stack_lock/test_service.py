# SPDX-License-Identifier: Apache-2.0

"""The arguments that a request of a caller passes on."""

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import service

ID = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e'
ROOT = types.SimpleNamespace(id='1234', name='web')


class LockServiceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name, module in (
                ('request', 'lock_request'), ('engines', 'unguarded_engines'),
                ('background', 'lock_thread'),
                ('coverage', 'resource_fields')):
            setattr(self, name, self.useFixture(fixtures.MockPatchObject(
                service, module, mock.MagicMock())).mock)
        self.request.load_root.return_value = ROOT
        self.request.parse_precondition = lock_request.parse_precondition
        self.service = mock.Mock(engine_id='engine')

    def lock(self, expected=None, dry_run=False):
        return service.lock(self.service, 'context', 'identity', {},
                            dry_run, expected)

    def unlock(self, expected=None):
        service.unlock(self.service, 'context', 'identity', expected)

    def test_transaction_checks_lock_id_again(self):
        for order, expected, wanted in (
                (self.lock, None, None),
                (self.lock, {'id': ID}, lock_request.Precondition(ID)),
                (self.lock, {'id': None}, lock_request.Precondition(None)),
                (self.unlock, None, None),
                (self.unlock, {'id': ID}, lock_request.Precondition(ID))):
            order(expected)
            if order == self.unlock:
                self.request.check_early.assert_called_with(
                    'context', ROOT, 'UNLOCK', wanted)
                checked = self.request.unlock_tree.call_args.args[-1]
            else:
                self.assertEqual(self.request.lock_check.return_value,
                                 self.request.lock_tree.call_args.args[-1])
                checked = self.request.lock_check.call_args.args[2]
            self.assertEqual(wanted, checked)

    def test_response_has_lock_id(self):
        self.request.lock_tree.return_value = mock.Mock(lock_id=ID,
                                                        previous_id=None)
        self.assertEqual({'lock': {'id': ID, 'previous_id': None}},
                         self.lock())

    def test_failed_precondition_calls_no_callbacks(self):
        for check in self.request.check_lock_early, self.request.check_early:
            check.side_effect = errors.StackLockConflict(message='no')
        for order in (self.lock, self.unlock,
                      lambda expected: self.lock(expected, dry_run=True)):
            self.assertRaises(errors.StackLockConflict, order, {'id': ID})
        self.request.call_callbacks.assert_not_called()
        self.coverage.dry_run.assert_not_called()

    def test_invalid_id_is_rejected_before_stack_is_loaded(self):
        for order in self.lock, self.unlock:
            self.assertRaises(errors.StackLockInvalid, order, {'id': 'x'})
        self.request.load_root.assert_not_called()
