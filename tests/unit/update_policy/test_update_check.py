# SPDX-License-Identifier: Apache-2.0

"""Tests that an update is rejected before it starts."""

import types
from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.plan import change
from heat_extras.update_policy import rules
from heat_extras.update_policy import update_check


class RejectsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in ('find_reason', 'fail_stack'):
            setattr(self, f'mock_{name}', self.useFixture(
                fixtures.MockPatchObject(update_check, name)).mock)
        self.mock_find_reason.return_value = 'no'
        self.stack, self.notify = mock.Mock(), mock.Mock()

    def rejects(self, action='UPDATE'):
        return update_check.reject_if_forbidden(
            self.stack, action,
            types.SimpleNamespace(
                heat_extras=object_data.StackData(has_allow=True)),
            'template', self.notify)

    def test_rejection_notifies_caller(self):
        for action in ('UPDATE', 'RESTORE'):
            self.assertTrue(self.rejects(action))
            self.mock_fail_stack.assert_called_with(self.stack, action,
                                                    'template', 'no')
        self.assertEqual(2, self.notify.signal.call_count)

    def test_caller_is_notified_if_rejection_cannot_be_saved(self):
        self.mock_fail_stack.side_effect = exception.StackValidationFailed(
            message='no')
        self.assertRaises(exception.StackValidationFailed, self.rejects)
        self.notify.signal.assert_called_once_with()

    def test_allowed_update_continues_without_notification(self):
        self.mock_find_reason.return_value = None
        self.assertFalse(self.rejects())
        self.assertTrue(object_data.of_stack(self.stack).has_allow)
        self.mock_fail_stack.assert_not_called()
        self.notify.signal.assert_not_called()

    def test_other_operations_are_not_checked(self):
        for action in ('CREATE', 'ROLLBACK', 'DELETE'):
            self.assertFalse(self.rejects(action))
        self.mock_find_reason.assert_not_called()


class FindReasonTest(testtools.TestCase):
    """The remedy depends on the source of the update."""

    def refusal(self, *acts, action='UPDATE', is_part=False, owner_id=None,
                is_at_once=True):
        for name, value in (
                ('find_violations', [update_check.Violation(
                    'why', 'a', act, is_allowed_at_once=is_at_once)
                    for act in acts]),
                ('_is_part_of_an_update', is_part)):
            self.useFixture(fixtures.MockPatchObject(update_check, name,
                                                     return_value=value))
        stack = mock.Mock(RESTORE='RESTORE', owner_id=owner_id)
        stack.name = 'web'
        return update_check.find_reason(stack, None, action)

    def test_remedy_of_update_is_its_template(self):
        for options in ({}, {'owner_id': 'root', 'is_part': True}):
            self.assertIn(rules.BY_UPDATE,
                          self.refusal(change.REMOVE, None, **options))

    def test_remedy_is_two_updates_if_not_allowed_at_once(self):
        for options in ({}, {'owner_id': 'root', 'is_part': True}):
            self.assertIn(rules.BY_TWO_UPDATES, self.refusal(
                change.UPDATE, change.REMOVE, is_at_once=False, **options))

    def test_remedy_of_signal_is_two_updates(self):
        self.assertIn(rules.BY_TWO_UPDATES,
                      self.refusal(change.REMOVE, owner_id='root'))

    def test_restore_has_its_own_remedy(self):
        for act in (change.UPDATE, None):
            self.assertIn(rules.BY_NO_RESTORE,
                          self.refusal(act, action='RESTORE'))

    def test_contradiction_has_no_remedy_by_template(self):
        for options in ({}, {'owner_id': 'root'}):
            self.assertNotIn('To make this change',
                             self.refusal(None, **options))

    def test_no_reason_without_violations(self):
        self.assertIsNone(self.refusal())
