# SPDX-License-Identifier: Apache-2.0

"""Tests of who is told that an update or a rollback begins."""

import types
from unittest import mock

import testtools

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import current_update

_STACK = types.SimpleNamespace(
    id='1', name='web', context=None, action='ROLLBACK', convergence=True,
    current_traversal='back')
_ROLLED_BACK = current_update.RolledBack('update', 'UPDATE')


class NotifyTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        patcher = mock.patch.object(baseline, 'keep')
        self.keep = patcher.start()
        self.addCleanup(patcher.stop)
        self.listener = mock.Mock()
        for _ in range(2):
            current_update.add_listener(self.listener)
        self.addCleanup(current_update.remove_listener, self.listener)

    def test_a_rollback_notes_what_it_undoes_first(self):
        current_update.notify(_STACK, _ROLLED_BACK)
        self.assertEqual(('1', 'rolled_back', 'back'),
                         self.keep.call_args.args[1:4])
        self.assertEqual('update', self.keep.call_args.args[4]())
        self.listener.assert_called_once_with(_STACK, _ROLLED_BACK)

    def test_an_update_undoes_nothing(self):
        current_update.notify(_STACK)
        self.keep.assert_not_called()
        self.listener.assert_called_once_with(_STACK, None)

    def test_what_goes_wrong_does_not_stop_heat(self):
        self.listener.side_effect = ValueError
        current_update.notify(_STACK)
        current_update.remove_listener(self.listener)
        current_update.remove_listener(self.listener)
        current_update.notify(_STACK)
        self.assertEqual(1, self.listener.call_count)
