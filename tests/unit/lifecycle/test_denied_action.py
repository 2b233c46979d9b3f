# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

from heat.common import exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras.lifecycle import denied_action

IDENTITY = {'stack_id': 's'}


def stack(action, status):
    return types.SimpleNamespace(id='s', action=action, status=status,
                                 status_reason='no', context=None,
                                 current_traversal='t')


class PriorTest(testtools.TestCase):

    def prior(self, action, *state, found=None, being_refused=None):
        table = denied_action.operation_table
        with (mock.patch.object(denied_action, '_found', return_value=found),
              mock.patch.object(table, 'find', return_value=being_refused),
              mock.patch.object(denied_action, '_forget') as self.forget):
            prior = denied_action.state_before(stack(*state), action)
            # What never shows must not change anything.
            self.assertFalse(self.forget.called)
            denied_action.forget(stack(*state), action)
            return prior

    def test_only_of_what_heat_refuses_to_update(self):
        self.assertIsNone(self.prior('CHECK', 'CREATE', 'COMPLETE'))
        self.assertFalse(self.forget.called)
        self.assertEqual(('CREATE', 'COMPLETE'),
                         self.prior('SUSPEND', 'CREATE', 'COMPLETE'))

    def test_what_was_under_way_is_over(self):
        self.assertEqual(('UPDATE', 'FAILED'),
                         self.prior('DELETE', 'UPDATE', 'IN_PROGRESS'))

    def test_a_second_refusal_remembers_what_the_first_did(self):
        self.assertEqual(
            ('CREATE', 'COMPLETE'),
            self.prior('DELETE', 'DELETE', 'FAILED',
                       found=('CREATE', 'COMPLETE')))
        self.forget.assert_called_once_with(None, 's')
        self.assertEqual(('DELETE', 'FAILED'),
                         self.prior('DELETE', 'DELETE', 'FAILED'))

    def test_nor_is_one_lost_that_comes_before_the_note(self):
        refused = types.SimpleNamespace(prior=('CREATE', 'COMPLETE'))
        self.assertEqual(
            ('CREATE', 'COMPLETE'),
            self.prior('DELETE', 'DELETE', 'FAILED', being_refused=refused))


class UpdateTest(testtools.TestCase):

    def update(self, error, is_restored):
        self.calls = []

        def update_stack():
            self.calls.append('update')
            if error is not None and len(self.calls) == 1:
                try:
                    raise error
                except Exception:
                    raise dispatcher.ExpectedException() from None
            return 'updated'

        with mock.patch.object(denied_action, '_restore',
                               return_value=is_restored) as self.restore:
            return denied_action.update_stack(None, IDENTITY, update_stack)

    def test_nothing_is_looked_up_for_other_stacks(self):
        self.assertEqual('updated', self.update(None, True))
        self.assertFalse(self.restore.called)
        self.assertRaises(dispatcher.ExpectedException, self.update,
                          exception.StackValidationFailed(message='x'), True)
        self.assertFalse(self.restore.called)

    def test_one_that_has_not_begun_to_go_is_updated(self):
        error = exception.NotSupported(feature='x')
        self.assertEqual('updated', self.update(error, True))
        self.assertEqual(2, len(self.calls))
        self.assertRaises(dispatcher.ExpectedException, self.update, error,
                          False)
        self.assertEqual(1, len(self.calls))
