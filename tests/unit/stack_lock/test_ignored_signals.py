# SPDX-License-Identifier: Apache-2.0

"""Signals to the resources of a locked stack."""

import types
from unittest import mock

import fixtures
from heat.common import exception
from heat.engine.resources import wait_condition
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import lock_record

_LOCK = lock_record.Lock(level='all', reason='move')
_FAILURE = exception.ResourceFailure('no', None, action='SIGNAL')


class SignalTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.count = self.useFixture(fixtures.MockPatchObject(
            ignored_signals, 'count_ignored', return_value=True)).mock
        self.read_lock = self.useFixture(fixtures.MockPatchObject(
            ignored_signals.guard_row, 'read_lock',
            return_value=('web', _LOCK))).mock

    @staticmethod
    def resource(lock=lock_record.UNLOCKED):
        return mock.Mock(stack=mock.Mock(
            id='1', heat_extras=object_data.StackData(lock=lock)))

    def signal(self, resource, details=None, **original):
        self.original = mock.Mock(**original)
        return ignored_signals.signal(resource, details, self.original)

    def test_signal_to_unlocked_stack_is_handled(self):
        self.assertEqual(5, self.signal(self.resource(), return_value=5))
        self.count.assert_not_called()

    def test_signal_to_locked_stack_is_ignored_and_counted(self):
        resource = self.resource(_LOCK)
        self.assertIs(False, self.signal(resource))
        self.original.assert_not_called()
        text, = resource._add_event.call_args.args[2:]
        self.assertEqual(
            'Signal ignored: the stack is locked (level all): move', text)

    def test_only_first_ignored_signal_adds_event(self):
        self.count.return_value = False
        resource = self.resource(_LOCK)
        self.assertIs(False, self.signal(resource))
        resource._add_event.assert_not_called()

    def test_hook_removal_is_not_ignored_as_signal(self):
        self.signal(self.resource(_LOCK), {'unset_hook': 'pre-update'})
        self.original.assert_called_once_with()

    def test_failed_signal_is_ignored_if_stack_was_locked(self):
        self.read_lock.return_value = ('web', _LOCK)
        self.assertIs(False, self.signal(self.resource(),
                                         side_effect=_FAILURE))
        self.assertEqual(1, self.count.call_count)

    def test_failed_signal_without_lock_raises_failure(self):
        self.read_lock.return_value = (
            'web', lock_record.UNLOCKED)
        self.assertRaises(exception.ResourceFailure, self.signal,
                          self.resource(), side_effect=_FAILURE)
        self.count.assert_not_called()

    def test_wait_condition_signal_is_never_ignored(self):
        handle = mock.Mock(spec=wait_condition.BaseWaitConditionHandle)
        handle.stack = self.resource(_LOCK).stack
        self.assertFalse(ignored_signals.is_ignored(handle))
        self.assertRaises(exception.ResourceFailure, self.signal, handle,
                          side_effect=_FAILURE)
        self.read_lock.assert_not_called()


class DescribeTest(testtools.TestCase):

    def describe(self, *counts):
        return ignored_signals.describe(
            [types.SimpleNamespace(resource_name=name, stack_id='1',
                                   count=count)
             for name, count in zip('abcde', counts, strict=False)],
            lambda stack_id: 'web')

    def test_no_description_without_ignored_signals(self):
        self.assertIsNone(self.describe())

    def test_description_counts_signals_per_resource(self):
        self.assertEqual(
            '7 signals were ignored while the stack was locked '
            '(a of stack web: 4, b of stack web: 3)', self.describe(4, 3))

    def test_description_names_three_resources_and_counts_others(self):
        self.assertEqual(
            '9 signals were ignored while the stack was locked (a of stack '
            'web: 4, b of stack web: 2, c of stack web: 1, and 2 more '
            'resources)', self.describe(4, 2, 1, 1, 1))
