# SPDX-License-Identifier: Apache-2.0

"""The start of the deletion of a legacy stack without a lock."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import states


class Refused(Exception):
    pass


class StartLegacyDeletionTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.update = self.useFixture(fixtures.MockPatchObject(
            deletion.stack_object.Stack, 'update_by_id')).mock
        self.check = self.useFixture(fixtures.MockPatchObject(
            deletion.check, 'check_again')).mock

    def begin(self, *is_written):
        self.update.side_effect = is_written
        deletion.start_legacy_deletion(mock.Mock(), states.DELETE)

    def test_deletion_that_starts_is_not_checked_again(self):
        self.begin(True)
        self.check.assert_not_called()

    def test_deletion_that_cannot_start_raises_rejection(self):
        self.check.side_effect = Refused
        self.assertRaises(Refused, self.begin, False)

    def test_deletion_is_retried_if_lock_was_removed(self):
        self.begin(False, True)
        self.assertEqual(2, self.update.call_count)

    def test_deletion_that_never_starts_is_action_in_progress(self):
        self.assertRaises(exception.ActionInProgress, self.begin,
                          *[False] * 5)
