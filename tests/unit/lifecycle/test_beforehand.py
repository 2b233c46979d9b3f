# SPDX-License-Identifier: Apache-2.0

"""Plugins that are asked of a deletion before it can begin."""

from unittest import mock

import fixtures
import testtools

from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import beforehand


class BeforehandTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.stack = mock.Mock(spec=['id', 'DELETE', 'context'])
        self.calls = self.useFixture(fixtures.MockPatchObject(
            beforehand, 'calls')).mock

    def test_who_begins_it_takes_it_once(self):
        end = beforehand.ask(self.stack)
        end(False)
        self.assertIs(self.calls.permit.return_value,
                      beforehand.take(self.stack))
        self.assertIsNone(beforehand.take(self.stack))
        self.calls.abort.assert_not_called()

    def test_an_operation_that_is_asked_later_has_none(self):
        self.assertIsNone(beforehand.take(self.stack))

    def test_one_that_is_refused_after_all_is_told(self):
        beforehand.ask(self.stack)(True)
        self.calls.abort.assert_called_once_with(
            self.stack, self.calls.permit.return_value)
        self.assertIsNone(beforehand.take(self.stack))

    def test_one_that_was_taken_is_told_by_who_took_it(self):
        end = beforehand.ask(self.stack)
        beforehand.take(self.stack)
        end(True)
        self.calls.abort.assert_not_called()

    def test_a_denial(self):
        self.calls.permit.side_effect = lock_callbacks.Denied('DELETE denied')
        self.assertRaises(lock_callbacks.Denied, beforehand.ask,
                          self.stack)
        self.assertIsNone(beforehand.take(self.stack))
