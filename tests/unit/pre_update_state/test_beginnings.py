# SPDX-License-Identifier: Apache-2.0

"""Tests of who is told that an update or a rollback begins."""

import types
from unittest import mock

import testtools

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import beginnings

_STACK = types.SimpleNamespace(
    id='1', name='web', context=None, action='ROLLBACK', convergence=True,
    current_traversal='back')
_UNDONE = beginnings.Undone('update', 'UPDATE')


class BegunTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        patcher = mock.patch.object(baseline, 'keep')
        self.keep = patcher.start()
        self.addCleanup(patcher.stop)
        self.listener = mock.Mock()
        self.listener.is_concerned.return_value = True
        for _ in range(2):
            beginnings.add(self.listener)
        self.addCleanup(beginnings.remove, self.listener)

    def test_a_rollback_notes_what_it_undoes_first(self):
        beginnings.begun(_STACK, _UNDONE)
        self.assertEqual(('1', 'rolled_back', 'back'),
                         self.keep.call_args.args[1:4])
        self.assertEqual('update', self.keep.call_args.args[4]())
        self.listener.remember.assert_called_once_with(_STACK, _UNDONE)

    def test_nobody_is_concerned(self):
        self.listener.is_concerned.return_value = False
        beginnings.begun(_STACK, _UNDONE)
        self.keep.assert_not_called()

    def test_an_update_undoes_nothing(self):
        beginnings.begun(_STACK)
        self.keep.assert_not_called()
        self.listener.remember.assert_called_once_with(_STACK, None)

    def test_what_goes_wrong_does_not_stop_heat(self):
        self.listener.remember.side_effect = ValueError
        beginnings.begun(_STACK)
        beginnings.remove(self.listener)
        beginnings.remove(self.listener)
        beginnings.begun(_STACK)
        self.assertEqual(1, self.listener.remember.call_count)
