# SPDX-License-Identifier: Apache-2.0

"""Checks before a protection is set or removed.

Tests of the transactions: tests/database.
"""

import datetime
import types
from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import service
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import override_policy

CONTEXT = types.SimpleNamespace(
    auth_token_info={'token': {'user': {'name': 'alice', 'id': 'a1'}}},
    project_id='p1')
ROOT = types.SimpleNamespace(id='1', name='web')


class ProtectionServiceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name in ('lock_request', 'unguarded_engines', 'delete_intent',
                     'heartbeat', 'guard_row', 'lock_transaction', 'events'):
            setattr(self, name, self.useFixture(fixtures.MockPatchObject(
                service, name)).mock)
        self.lock_request.load_root.return_value = ROOT
        self.read_protection = self.delete_intent.read_protection
        self.may = self.useFixture(fixtures.MockPatchObject(
            override_policy, '_may', return_value=False)).mock
        self.read_protection.return_value = protection.NONE
        self.delete_intent.engines_deleting.return_value = set()
        self.session = self.useFixture(fixtures.MockPatch(
            'heat_extras.operations.transactions.start'
        )).mock.return_value.__enter__.return_value
        self.service = mock.Mock(engine_id='engine')
        self.found(action='CREATE', status='COMPLETE')

    def found(self, **columns):
        self.heartbeat.find_down.return_value = frozenset()
        self.delete_intent.lock_root_row.return_value = (
            types.SimpleNamespace(**{'id': '1', 'name': 'web',
                                     'deleted_at': None, **columns}))

    def protect(self, reason='why'):
        service.protect(self.service, CONTEXT, 'identity',
                        {'reason': reason})

    def unprotect(self):
        service.unprotect(self.service, CONTEXT, 'identity')

    def written(self):
        return self.guard_row.insert.call_args.kwargs

    def test_protect_stores_user_and_reason(self):
        self.protect()
        columns = self.written()
        self.assertEqual(
            ['why', 'alice', 'a1', 'p1', 'member'],
            [columns[name] for name in (
                'reason', 'set_by', 'set_by_id', 'set_by_project', 'rank')])
        self.assertEqual(36, len(columns['id']))
        self.assertIsInstance(columns['set_at'], datetime.datetime)

    def test_empty_reason_is_stored_as_null(self):
        for reason in '', ' \t\n\u3000':
            self.protect(reason)
            self.assertIsNone(self.written()['reason'])

    def test_invalid_reason_is_rejected_as_protection_reason(self):
        self.lock_request.validate_reason.side_effect = (
            lock_request.validate_reason)
        for reason in 5, 'x' * 256, 'a\x1b':
            error = self.assertRaises(errors.StackLockInvalid, self.protect,
                                      reason)
            self.assertIn('Invalid protection reason: ', str(error))
        self.session.execute.assert_not_called()

    def test_protect_is_rejected_if_engines_lack_feature(self):
        self.unguarded_engines.check_all_guarded.side_effect = (
            errors.StackLockConflict(message='no'))
        self.assertRaises(errors.StackLockConflict, self.protect)
        self.session.execute.assert_not_called()

    def test_unprotect_does_not_check_engines(self):
        self.read_protection.return_value = protection.Protection(id='2')
        self.unprotect()
        self.guard_row.insert.assert_not_called()
        self.unguarded_engines.check_all_guarded.assert_not_called()

    def test_protect_is_rejected_during_deletion(self):
        for status in 'IN_PROGRESS', 'COMPLETE':
            self.found(action='DELETE', status=status)
            self.assertRaises(errors.StackLockConflict, self.protect)
        self.found(action='DELETE', status='FAILED')
        self.protect()

    def test_protect_is_rejected_with_stored_delete_intent(self):
        self.delete_intent.engines_deleting.return_value = {'other'}
        error = self.assertRaises(errors.StackLockConflict, self.protect)
        self.assertIn('is being deleted', str(error))

    def test_protect_of_deleted_stack_is_not_found(self):
        self.found(action='DELETE', status='COMPLETE', deleted_at='now')
        self.assertRaises(exception.EntityNotFound, self.protect)

    def test_administrator_protection_requires_override_policy(self):
        self.read_protection.return_value = protection.Protection(
            id='2', rank='admin')
        for order in self.protect, self.unprotect:
            error = self.assertRaises(errors.StackLockForbidden, order)
            self.assertIn('requires the policy rule '
                          '"actions:unprotect_override"',
                          str(error))
        self.may.return_value = True
        self.unprotect()

    def test_unprotect_of_unprotected_stack_is_rejected(self):
        error = self.assertRaises(errors.StackLockConflict, self.unprotect)
        self.assertIn('is not protected', str(error))

    def test_unprotect_of_tag_protection_is_rejected(self):
        self.read_protection.return_value = protection.Protection(
            tag='keep')
        error = self.assertRaises(errors.StackLockConflict, self.unprotect)
        self.assertIn("by the tag 'keep'", str(error))
        self.read_protection.return_value = protection.Protection(
            id='2', tag='keep')
        self.unprotect()
