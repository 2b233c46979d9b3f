# SPDX-License-Identifier: Apache-2.0

"""An update is checked once Heat has prepared it, and before it answers."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.parameters import check
from heat_extras.parameters import update


class PrepareTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.check = self.useFixture(fixtures.MockPatchObject(
            update, 'check')).mock

    def prepare(self, **result):
        return update.prepare(mock.Mock(**result), 'current', False)

    def test_what_heat_made_is_checked_and_handed_on(self):
        made = ('template', 'environment', 'updated')
        self.assertIs(made, self.prepare(return_value=made))
        self.check.assert_called_once_with('current', 'updated', [], False)

    def test_what_heat_asks_meanwhile_is_answered_then(self):
        question = ('old', 'new', {})
        self.prepare(side_effect=lambda: (
            check.postpone(*question), None, 'updated'))
        self.assertEqual([question], self.check.call_args.args[2])
        self.assertFalse(check.postpone(*question))

    def test_a_failure_of_heat_comes_after_the_check(self):
        failure = exception.StackValidationFailed(message='theirs')
        self.assertIs(failure, self.assertRaises(
            exception.StackValidationFailed, self.prepare,
            side_effect=failure))
        self.check.assert_called_once_with('current', None, [], False)

    def test_a_refusal_hides_it(self):
        self.check.side_effect = exception.ImmutableParameterModified(
            'p')
        error = self.assertRaises(exception.ImmutableParameterModified,
                                  self.prepare, side_effect=ValueError('x'))
        self.assertIsNone(error.__context__)
