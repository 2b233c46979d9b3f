# SPDX-License-Identifier: Apache-2.0

"""Stack.delete: plugins are asked before Heat deletes anything."""

from unittest import mock

import fixtures

from heat_extras.lifecycle import demolition
from heat_extras.lifecycle import in_thread
from heat_extras.lifecycle import runner
from heat_extras.lifecycle import state
from tests.unit.lifecycle import test_in_thread


class DemolitionTest(test_in_thread.InThreadTestCase):
    def setUp(self):
        super().setUp()
        self.begin = self.useFixture(fixtures.MockPatchObject(
            in_thread, 'begin')).mock
        self.superseded = self.useFixture(fixtures.MockPatchObject(
            demolition.traversal, 'tell_superseded')).mock
        self.delete = mock.Mock(side_effect=self._delete)

    def _delete(self):
        self.assertTrue(state.of(self.stack).is_deleting)
        return 'gone'

    def run_it(self, action='DELETE'):
        return demolition.run(self.stack, self.delete, action, 'notify')

    def test_all_is_well(self):
        self.assertEqual('gone', self.run_it())
        self.begin.assert_called_once_with(self.stack, 'DELETE')
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(state.of(self.stack).is_deleting)
        self.assertEqual('notify', state.of(self.stack).notify)

    def test_a_denied_one_is_failed_and_nothing_is_deleted(self):
        self.begin.side_effect = runner.Refused('no')
        self.assertIsNone(self.run_it())
        self.assertEqual([('DELETE', 'FAILED', 'no')], self.stack.steps)
        self.delete.assert_not_called()

    def test_so_is_one_whose_plugins_cannot_be_called(self):
        self.useFixture(fixtures.FakeLogger())
        self.begin.side_effect = ValueError('secret')
        self.assertRaises(ValueError, self.run_it)
        (action, status, reason), = self.stack.steps
        self.assertEqual(('DELETE', 'FAILED'), (action, status))
        self.assertNotIn('secret', reason)
        self.delete.assert_not_called()

    def test_a_stack_that_a_plugin_keeps(self):
        self.delete.side_effect = in_thread.DeletionKept
        self.assertIsNone(self.run_it())
        self.assertFalse(state.of(self.stack).is_deleting)

    def test_an_error_of_heat_ends_it_too(self):
        self.delete.side_effect = KeyError
        self.assertRaises(KeyError, self.run_it)
        self.finish.assert_called_once_with(self.stack, True)
        self.assertFalse(state.of(self.stack).is_deleting)

    def test_nothing_was_created_nothing_is_rolled_back(self):
        state.of(self.stack).is_denied = True
        self.assertIsNone(self.run_it('ROLLBACK'))
        self.begin.assert_not_called()
        self.delete.assert_not_called()
        self.run_it()
        self.delete.assert_called_once_with()

    def test_convergence_tells_of_what_is_stopped(self):
        self.run_it()
        self.superseded.assert_not_called()
        self.stack.convergence = True
        self.run_it()
        self.superseded.assert_called_once_with(self.stack, 'now')
