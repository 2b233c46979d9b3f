# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.stack_lock import words


class WordsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.stack = mock.Mock(id='1')
        self.stack.name = 'web'

    def test_a_locked_stack(self):
        told = words.is_locked(
            words.named(self.stack), 'all', 'alice', '2026-11-20T10:02:11Z',
            'db move', 'root', 'actions:unlock')
        self.assertEqual(
            'Stack web (1) is locked (level all) by alice since '
            '2026-11-20T10:02:11Z: db move. To unlock it: openstack stack '
            'unlock root. Required policy: actions:unlock.', told)

    def test_by_whom_a_reader_may_not_know_and_without_a_reason(self):
        told = words.is_locked('web (1)', 'all', None, 'now', None, 'web',
                               'actions:unlock')
        self.assertIn('by a user of another project since now. To', told)

    def test_what_is_in_the_way_is_named_up_to_a_number(self):
        told = words.busy('web (1)', [f'stack {n}' for n in range(9)])
        self.assertIn('stack 4', told)
        self.assertNotIn('stack 5', told)

    def test_what_to_do_about_a_state_that_is_in_the_way(self):
        for state, wanted in (
                ('LOCK_IN_PROGRESS', 'Wait until this is over'),
                ('UNLOCK_IN_PROGRESS', 'Wait until this is over'),
                ('UNLOCK_FAILED', 'Lift the lock first')):
            told = words.not_allowed('LOCK', 'web (1)', state)
            self.assertIn(f'is not allowed while it is {state}. Nothing was '
                          f'changed. {wanted}', told)

    def test_a_reason_is_told_where_there_is_one(self):
        self.assertEqual('Stack LOCK completed successfully (level all)',
                         words.completed('all', None))
        self.assertEqual('Signal ignored: the stack is locked (level all): x',
                         words.signal_ignored('all', 'x'))

    def test_resources_whose_signals_are_not_named_are_counted(self):
        self.assertEqual(
            '7 signals were ignored while the stack was locked (a: 4)',
            words.signals_ignored(7, 'a: 4', 0))
        self.assertEqual(
            '7 signals were ignored while the stack was locked (a: 4, and 2 '
            'more resources)', words.signals_ignored(7, 'a: 4', 2))
