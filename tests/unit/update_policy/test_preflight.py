# SPDX-License-Identifier: Apache-2.0

"""An update is refused before it begins, and its caller hears of it."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.update_policy import preflight
from heat_extras.update_policy import summary


class RefusesTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in ('refusal', 'refuse'):
            setattr(self, name, self.useFixture(fixtures.MockPatchObject(
                preflight, name)).mock)
        self.refusal.return_value = 'no'
        self.stack, self.notify = mock.Mock(), mock.Mock()

    def refuses(self, action='UPDATE'):
        return preflight.refuses(self.stack, action, mock.Mock(
            **{summary.MENTIONS: True}), 'template', self.notify)

    def test_its_caller_is_answered(self):
        for action in ('UPDATE', 'RESTORE'):
            self.assertTrue(self.refuses(action))
            self.refuse.assert_called_with(self.stack, action, 'template',
                                           'no')
        self.assertEqual(2, self.notify.signal.call_count)

    def test_also_when_that_cannot_be_written(self):
        self.refuse.side_effect = exception.StackValidationFailed(
            message='no')
        self.assertRaises(exception.StackValidationFailed, self.refuses)
        self.notify.signal.assert_called_once_with()

    def test_what_goes_on_answers_by_itself(self):
        self.refusal.return_value = None
        self.assertFalse(self.refuses())
        self.assertTrue(getattr(self.stack, summary.MENTIONS))
        self.refuse.assert_not_called()
        self.notify.signal.assert_not_called()

    def test_other_operations_are_not_planned(self):
        for action in ('CREATE', 'ROLLBACK', 'DELETE'):
            self.assertFalse(self.refuses(action))
        self.refusal.assert_not_called()
