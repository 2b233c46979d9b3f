# SPDX-License-Identifier: Apache-2.0

"""Where the deletion of a legacy stack begins that no lock stops."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import states


class Refused(Exception):
    pass


class BeginTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.update = self.useFixture(fixtures.MockPatchObject(
            deletion.stack_object.Stack, 'update_by_id')).mock
        self.check = self.useFixture(fixtures.MockPatchObject(
            deletion.check, 'check_again')).mock

    def begin(self, *is_written):
        self.update.side_effect = is_written
        deletion.start_legacy_deletion(mock.Mock(), states.DELETE)

    def test_nothing_else_is_asked(self):
        self.begin(True)
        self.check.assert_not_called()

    def test_what_stands_in_the_way_is_told(self):
        self.check.side_effect = Refused
        self.assertRaises(Refused, self.begin, False)

    def test_what_is_lifted_meanwhile(self):
        self.begin(False, True)
        self.assertEqual(2, self.update.call_count)

    def test_it_does_not_begin_without(self):
        self.assertRaises(exception.ActionInProgress, self.begin,
                          *[False] * 5)
