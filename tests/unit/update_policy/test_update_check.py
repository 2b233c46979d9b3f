# SPDX-License-Identifier: Apache-2.0

"""Tests that an update is rejected before it starts."""

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.update_policy import update_check


class RejectsTest(testtools.TestCase):
    def test_caller_is_notified_if_rejection_cannot_be_saved(self):
        self.useFixture(fixtures.MockPatchObject(
            update_check, 'find_reason', return_value='no'))
        self.useFixture(fixtures.MockPatchObject(
            update_check, 'fail_stack', side_effect=KeyError))
        notify, updated = mock.Mock(), types.SimpleNamespace(
            heat_extras=object_data.StackData(has_allow=True))
        self.assertRaises(
            KeyError, update_check.reject_if_forbidden, mock.Mock(), 'UPDATE',
            updated, 'template', notify)
        notify.signal.assert_called_once_with()
