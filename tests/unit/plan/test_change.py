# SPDX-License-Identifier: Apache-2.0

"""Tests of a planned change."""

import testtools

from heat_extras.plan import change


class ChangeTest(testtools.TestCase):

    def test_keeps_id_is_true_only_without_replacement(self):
        for action in (change.UNCHANGED, change.UPDATE):
            self.assertTrue(change.Change(action).keeps_id)
            self.assertFalse(change.Change(
                action, may_replace=True).keeps_id)
        for action in change.DESTRUCTIVE:
            self.assertFalse(change.Change(action).keeps_id)

    def test_uncertain_changes_certainty_only(self):
        removal = change.Change(change.REMOVE, reason='why')
        self.assertEqual(change.Change(change.REMOVE, False, 'why'),
                         removal.uncertain())
