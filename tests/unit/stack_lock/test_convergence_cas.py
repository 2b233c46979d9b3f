# SPDX-License-Identifier: Apache-2.0

"""Operations of the convergence engine that can lose to a lock."""

from unittest import mock

import fixtures
import testtools

from heat_extras import guard
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock import convergence_cas
from heat_extras.stack_lock import errors


class _Stack:
    """The attributes of Heat's Stack that the code reads."""

    id, context = '1', None
    refresh_cred = convergence = True

    def __init__(self, *answers):
        self._answers, self.stored_with_trust = list(answers), []

    def store(self):
        def original():
            self.stored_with_trust.append(self.refresh_cred)
            return self._answers.pop(0)
        return convergence_cas.store(self, original)


class ConvergeStackTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in ('check', 'protected_deletion', 'retries'):
            setattr(self, name, self.useFixture(fixtures.MockPatchObject(
                convergence_cas, name)).mock)
        self.useFixture(fixtures.MockPatchObject(
            convergence_cas.deletion, 'unlock_first', mock.MagicMock()))
        self.useFixture(fixtures.MockPatchObject(
            convergence_cas.protection_tag, 'configured_tag',
            return_value=None))
        self.template = mock.Mock(id=None)
        self.start = guard.Start(None, self.template, 'UPDATE', None, {})

    def converge(self, stack, stores, operation='update'):
        def proceed():
            self.template.id = 7
            return [stack.store() for _ in range(stores)]
        with rpc_request.processing(operation and rpc_request.Request(
                operation, None)):
            return convergence_cas.converge_stack(stack, self.start, proceed)

    def test_trust_is_replaced_after_first_store(self):
        stack = _Stack('1', '1')
        self.assertEqual(['1', '1'], self.converge(stack, 2))
        self.assertEqual([False, True], stack.stored_with_trust)
        self.check.check_again.assert_called_once_with(None, '1', 'update')
        self.retries.on_db_error.assert_not_called()

    def test_operation_that_loses_to_lock_is_rejected_and_undone(self):
        self.check.check_again.side_effect = errors.StackLocked(
            message='locked', stack_id='1')
        stack = _Stack(None)
        self.assertRaises(errors.StackLocked, self.converge, stack, 1)
        self.assertEqual([False], stack.stored_with_trust)
        self.retries.on_db_error.return_value.assert_called_once_with(
            None, 7)
        self.assertIsNone(object_data.of_stack(stack).start)

    def test_only_deletion_is_rejected_if_overtaken_without_lock(self):
        self.assertEqual([None], self.converge(_Stack(None), 1))
        self.protected_deletion.check_overtaken.assert_not_called()
        self.protected_deletion.check_tag_is_set.assert_called_once_with(
            mock.ANY, None)
        self.converge(_Stack('1'), 1, 'delete')
        self.protected_deletion.check_overtaken.assert_not_called()
        self.protected_deletion.check_overtaken.side_effect = KeyError
        self.assertRaises(KeyError, self.converge, _Stack(None), 1, 'delete')

    def test_trust_is_kept_until_lock_pass_is_used(self):
        stack = _Stack('1', '1')
        stack.stored_context = lambda: 'stored'
        with mock.patch.object(convergence_cas.consume, 'pending_use',
                               return_value=True):
            self.assertEqual('1', stack.store())
        self.assertEqual(([], None), (stack.stored_with_trust, stack.context))
        self.assertEqual(['1', '1'], self.converge(stack, 2))
        self.assertEqual([False, True], stack.stored_with_trust)
        self.assertEqual('stored', stack.context)

    def test_store_without_operation_is_unchanged(self):
        stack = _Stack(None)
        stack.id = None
        self.assertEqual([None], self.converge(stack, 1, operation=None))
        self.assertEqual([True], stack.stored_with_trust)
        self.check.check_again.assert_not_called()

    def test_operation_without_store_is_checked_if_not_persisted(self):
        for persisted, calls in ((True, 0), (False, 1)):
            stack = _Stack()
            self.check.check_again.reset_mock()

            def proceed(stack=stack, persisted=persisted):
                convergence_cas.persist_state(stack, lambda: persisted)
            with rpc_request.processing(rpc_request.Request('update', None)):
                convergence_cas.converge_stack(stack, self.start, proceed)
            self.assertEqual(calls, self.check.check_again.call_count)
