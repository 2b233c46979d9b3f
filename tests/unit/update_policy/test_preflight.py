# SPDX-License-Identifier: Apache-2.0

"""An update is refused before it begins, and its caller hears of it."""

from unittest import mock

import fixtures
from heat.common import exception
import testtools

from heat_extras.update_plan import change
from heat_extras.update_policy import plan
from heat_extras.update_policy import preflight
from heat_extras.update_policy import summary
from heat_extras.update_policy import words


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


class RefusalTest(testtools.TestCase):
    """What to do depends on where the update came from."""

    def refusal(self, *acts, action='UPDATE', is_part=False, owner_id=None,
                is_at_once=True):
        for name, value in (
                ('problems', [plan.Problem(
                    'why', 'a', act, is_allowed_at_once=is_at_once)
                    for act in acts]),
                ('_is_part_of_an_update', is_part)):
            self.useFixture(fixtures.MockPatchObject(preflight, name,
                                                     return_value=value))
        stack = mock.Mock(RESTORE='RESTORE', owner_id=owner_id)
        stack.name = 'web'
        return preflight.refusal(stack, None, action)

    def test_the_template_of_an_update_may_allow_it(self):
        for options in ({}, {'owner_id': 'root', 'is_part': True}):
            self.assertIn(words.BY_UPDATE,
                          self.refusal(change.REMOVE, None, **options))

    def test_what_an_update_loses_takes_two(self):
        for remedy, options in (
                (words.BY_TWO_UPDATES, {}),
                (words.BY_TWO_UPDATES, {'owner_id': 'root', 'is_part': True}),
                (words.BY_ROOT_FIRST, {'owner_id': 'root'})):
            self.assertIn(remedy, self.refusal(
                change.UPDATE, change.REMOVE, is_at_once=False, **options))

    def test_a_signal_brings_none(self):
        self.assertIn(words.BY_ROOT,
                      self.refusal(change.REMOVE, owner_id='root'))

    def test_a_restore_brings_that_of_the_snapshot(self):
        self.assertIn(words.BY_NO_RESTORE,
                      self.refusal(change.UPDATE, action='RESTORE'))

    def test_no_template_allows_a_contradiction(self):
        for options in ({}, {'owner_id': 'root'}, {'action': 'RESTORE'}):
            self.assertNotIn('To do it', self.refusal(None, **options))

    def test_nobody_takes_a_contradiction_out_of_a_snapshot(self):
        said = self.refusal(None, action='RESTORE')
        self.assertTrue(said.startswith('The restore is refused by '), said)
        self.assertIn(words.NO_CONTRARY_SNAPSHOT, said)

    def test_without_a_problem_it_goes_on(self):
        self.assertIsNone(self.refusal())
